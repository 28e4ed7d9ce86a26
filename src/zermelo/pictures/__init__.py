"""Positions as pictures: `draw` makes an SVG of any position of a game that says what there is to see."""

from zermelo.pictures.svg import draw

__all__ = ["draw"]
