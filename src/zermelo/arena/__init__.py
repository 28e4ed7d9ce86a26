"""The arena: players, matches, and what their results say."""
