"""Protocols of the world, spoken by zermelo: so that other programs can drive it."""
