"""What is known beforehand: opening books."""
