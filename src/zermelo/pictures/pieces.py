"""One piece of a board as SVG."""

from __future__ import annotations

from html import escape

from zermelo.game.board import Piece
from zermelo.pictures.elements import circle, classes, line, path, text
from zermelo.pictures.grids import SIZE
from zermelo.pictures.shapes import CHESSMEN, CROWN
from zermelo.pictures.style import STYLE


def drawn(piece: Piece, x: float, y: float, scale: float = 1.0) -> str:
    """A piece with its middle at a point, as one element that a page can move."""
    place = f' transform="translate({x:g} {y:g}) scale({scale:g})"'
    return f'<g {classes("piece")} data-piece="{escape(piece.name)}"{place}>{_shape(piece)}</g>'


def alone(piece: Piece) -> str:
    """A picture of nothing but a piece, for a page that lets people choose one."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-board" viewBox="-24 -24 48 48" aria-hidden="true">'
        f"<style>{STYLE}</style>{drawn(piece, 0, 0)}</svg>"
    )


def _shape(piece: Piece) -> str:
    r = 0.3 * SIZE
    if piece.shape in CHESSMEN:
        return f'<g {classes(f"man fill-{piece.colour}")} transform="scale(1.1)">{CHESSMEN[piece.shape]}</g>'
    if piece.shape == "cross":
        kind = f"stroke stroke-{piece.colour}"
        return line(kind, -r, -r, r, r) + line(kind, -r, r, r, -r)
    if piece.shape == "ring":
        return circle(f"stroke stroke-{piece.colour}", 0, 0, r)
    if piece.shape == "text":
        return text(f"symbol fill-{piece.colour}", 0, 12, piece.symbol)
    ink = "black" if piece.colour in ("white", "yellow") else "white"
    disc = circle(f"disc fill-{piece.colour}", 0, 0, 0.4 * SIZE)
    if piece.shape == "crowned":
        return disc + circle("rim", 0, 0, 0.33 * SIZE) + path(f"crown fill-{ink}", CROWN)
    return disc + (text(f"letter fill-{ink}", 0, 6, piece.symbol) if piece.symbol else "")
