"""What lies beside a board, as SVG: dice, cards, heaps, scores and lines of text."""

from __future__ import annotations

from zermelo.game.board import FACE_DOWN, Board, Track
from zermelo.pictures.elements import button, circle, path, rectangle, text
from zermelo.pictures.shapes import PIPS, SUITS

LINE = 22
"""The height of a line of text, in pixels."""
HEAP_ROW = 24
"""Counters of a heap per row."""
STEP = 48
"""The distance from one die or card to the next."""
TRACK = 300
"""The length of a score track."""


def beside(board: Board, y: float) -> tuple[list[str], float, float]:
    """Everything below the board, from this height on; returns the elements, the end and the width."""
    parts: list[str] = []
    wide = 0.0
    for track in board.tracks:
        parts.append(_track(track, 8, y))
        wide, y = max(wide, TRACK + 16.0), y + 46
    rolled = () if board.style == "backgammon" else board.dice  # there, they lie on the board
    if rolled or board.cards:
        parts += [die(value, 8.0 + STEP * place, y) for place, value in enumerate(rolled)]
        parts += [card(name, 8.0 + STEP * place, y) for place, name in enumerate(board.cards, len(rolled))]
        wide, y = max(wide, 8.0 + STEP * (len(rolled) + len(board.cards))), y + (66 if board.cards else 50)
    left = 20.0 + 8 * max((len(name) for name, _ in (*board.hands, *board.cups)), default=0)
    for name, cards in board.hands:
        parts.append(text("line", 8, y + 33, name))
        parts += [_held(board, each, left + STEP * place, y) for place, each in enumerate(cards)]
        wide, y = max(wide, left + STEP * len(cards)), y + 66
    for name, dice in board.cups:
        parts.append(text("line", 8, y + 26, name))
        parts += [die(value, left + STEP * i, y) if value else _cup(left + STEP * i, y) for i, value in enumerate(dice)]
        wide, y = max(wide, left + STEP * len(dice)), y + 50
    if board.chips:
        parts.append(_chips(board.chips, y))
        wide, y = max(wide, _chips_end(board.chips)), y + 32
    for name, count in board.heaps:
        parts.append(text("line", 8, y + 20, name))
        left = 20.0 + 10 * len(name)
        for i in range(count):
            parts.append(_counter(f"{name}{i + 1}", left + 24 * (i % HEAP_ROW), y + 4 + 24 * (i // HEAP_ROW)))
        end = left + 24 * min(count, HEAP_ROW)
        parts.append(text("line", end + 8, y + 20, str(count)))
        wide, y = max(wide, end + 40), y + 8 + 24 * max(1, -(-count // HEAP_ROW))
    for words in board.lines:
        parts.append(text("line", 8, y + 15, words))
        wide, y = max(wide, 9.0 * len(words)), y + LINE
    return parts, y + 8, wide


def _cup(x: float, y: float) -> str:
    """A die under its cup."""
    return path("back", f"M{x + 8:g} {y:g}h24l6 40h-36z") + text("face fill-white", x + 20, y + 29, "?")


def _chips(chips: tuple[tuple[str, float], ...], y: float) -> str:
    """Amounts of chips in a row, each with a chip in front of it."""
    parts, x = [], 8.0
    for name, amount in chips:
        parts.append(circle("chip", x + 11, y + 13, 10) + circle("notches", x + 11, y + 13, 7.6))
        words = f"{name} {amount:g}"
        parts.append(text("line", x + 28, y + 18, words))
        x += _chip_width(words)
    return "".join(parts)


def _chip_width(words: str) -> float:
    return 44.0 + 8 * len(words)


def _chips_end(chips: tuple[tuple[str, float], ...]) -> float:
    return 8.0 + sum(_chip_width(f"{name} {amount:g}") for name, amount in chips)


def _counter(name: str, x: float, y: float) -> str:
    return button(name, name, rectangle("cell", x, y, 24, 24) + circle("disc fill-blue", x + 12, y + 12, 9))


def _track(track: Track, x: float, y: float) -> str:
    """A score as a bar: what is safe, what is at stake, and the end."""

    def length(points: float) -> float:
        return TRACK * min(max(points / track.end, 0.0), 1.0)

    numbers = f"{track.value:g}{f' + {track.more:g}' if track.more else ''} / {track.end:g}"
    safe, hoped = length(track.value), length(track.value + track.more)
    return (
        text("line", x, y + 15, track.name)
        + text("line end", x + TRACK, y + 15, numbers)
        + rectangle("groove", x, y + 22, TRACK, 14, 7)
        + rectangle(f"stake fill-{track.colour}", x, y + 22, hoped, 14, 7)
        + rectangle(f"fill-{track.colour}", x, y + 22, safe, 14, 7)
    )


def _held(board: Board, name: str, x: float, y: float) -> str:
    """A card in a hand. Cards that are face up can be pointed at."""
    drawn = card(name, x, y)
    return drawn if name == FACE_DOWN else button(name, name, rectangle("cell", x, y, 40, 56, 5) + drawn)


def die(value: int, x: float, y: float) -> str:
    """A die: pips, a number that has none, or a question mark while it rolls."""
    face = rectangle("tile", x, y, 40, 40, 7)
    if value not in PIPS:
        return face + text("face fill-black", x + 20, y + 28, str(value) if value else "?")
    return face + "".join(circle("pip", x + 10 + 10 * a, y + 10 + 10 * b, 3.6) for a, b in PIPS[value])


def card(name: str, x: float, y: float) -> str:
    """A card with its rank and its suit, or face down."""
    tile = rectangle("tile", x, y, 40, 56, 5)
    if name == FACE_DOWN:
        weave = "".join(f"M{x + 5:g} {y + 5 + 6 * i:g}l30 10" for i in range(7))
        return tile + rectangle("back", x + 4, y + 4, 32, 48, 3) + path("weave", weave)
    rank = "".join(sign for sign in name if sign not in SUITS)
    suit = next((sign for sign in name if sign in SUITS), None)
    if suit is None:
        return tile + text("face fill-black", x + 20, y + 36, rank)
    colour = "red" if suit in "♥♦" else "black"
    drawn = f'<path class="zb-fill-{colour}" transform="translate({x + 20:g} {y + 41:g})" d="{SUITS[suit]}"/>'
    return tile + text(f"face fill-{colour}", x + 20, y + 26, rank) + drawn
