"""Trees you can see: traces of real searches, pictures, and exercises."""
