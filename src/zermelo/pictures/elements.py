"""SVG elements as text. Every class of a picture begins with `zb-`, so that it never meets a class of the page."""

from __future__ import annotations

from html import escape

PREFIX = "zb-"


def classes(words: str) -> str:
    """The class attribute for some words, each with the prefix of pictures."""
    return f'class="{" ".join(PREFIX + word for word in words.split())}"'


def circle(kind: str, x: float, y: float, r: float) -> str:
    return f'<circle {classes(kind)} cx="{x:g}" cy="{y:g}" r="{r:g}"/>'


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line {classes(kind)} x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def rectangle(kind: str, x: float, y: float, width: float, height: float, rounded: float = 0) -> str:
    corners = f' rx="{rounded:g}"' if rounded else ""
    return f'<rect {classes(kind)} x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corners}/>'


def path(kind: str, drawn: str) -> str:
    return f'<path {classes(kind)} d="{drawn}"/>'


def polygon(kind: str, points: str) -> str:
    return f'<polygon {classes(kind)} points="{points}"/>'


def text(kind: str, x: float, y: float, words: str) -> str:
    return f'<text {classes(kind)} x="{x:g}" y="{y:g}" xml:space="preserve">{escape(words)}</text>'


def button(name: str, label: str, inside: str, kind: str = "") -> str:
    """An element that a page can make a button: a square with its content and its name. Its outline comes first."""
    place = f'data-square="{escape(name)}" role="img" aria-label="{escape(label)}"'
    return f"<g {classes('square ' + kind)} {place}>{inside}</g>"
