"""Games and helpers that only the tests use."""
