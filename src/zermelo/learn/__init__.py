"""Learning: evaluations from games that a program plays against itself."""
