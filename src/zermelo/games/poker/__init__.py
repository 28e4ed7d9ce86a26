"""Cards, hands and ranges of poker: what all games of poker share."""
