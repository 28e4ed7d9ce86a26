"""Hold'em on the turn and the river: equilibria of given ranges, for all hands at once."""
