"""Monte Carlo tree search for any game: `tree` for open games, `information_sets` for hidden information."""
