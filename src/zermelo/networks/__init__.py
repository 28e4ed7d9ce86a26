"""Networks over a game's features, compiled into whatever evaluates the game."""
