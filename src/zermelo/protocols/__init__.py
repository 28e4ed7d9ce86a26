"""Protocols by which other programs use zermelo."""
