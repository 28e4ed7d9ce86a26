"""Training on millions of positions, in mini-batches: a weighted sum of features, or a network over them."""
