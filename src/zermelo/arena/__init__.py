"""Players, matches, ratings; on one machine or a Ray cluster."""
