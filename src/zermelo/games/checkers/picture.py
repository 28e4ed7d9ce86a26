"""The board for people: numbered squares, in pictures and in text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.game.board import Board, Piece
from zermelo.games.checkers.board import SQUARES, CheckersState, bit_of

if TYPE_CHECKING:
    from zermelo.games.checkers.rules import Checkers

PIECES = {
    "b": Piece("black man", "disc", "black"),
    "w": Piece("white man", "disc", "white"),
    "B": Piece("black king", "crowned", "black"),
    "W": Piece("white king", "crowned", "white"),
}


def named_squares() -> tuple[tuple[str, ...], ...]:
    """The rows of the board from the top as Black sees it, who sits below; light squares have no name."""
    rows = []
    for row in reversed(range(8)):
        squares = [str(4 * row + place) for place in range(4, 0, -1)]
        rows.append(tuple(name for square in squares for name in (("", square) if row % 2 else (square, ""))))
    return tuple(rows)


def letter_at(s: CheckersState, square: int) -> str:
    """b and w for men, B and W for kings; "" if the square is empty."""
    place = 1 << bit_of(square)
    found = "b" if s.black & place else "w" if s.white & place else ""
    return found.upper() if s.kings & place else found


def board_of(s: CheckersState) -> Board:
    """The content of a picture."""
    letters = {str(square): letter_at(s, square) for square in range(1, SQUARES + 1)}
    pieces = {name: PIECES[letter] for name, letter in letters.items() if letter}
    return Board(named_squares(), pieces, "checkered", numbered=True, facing=True)


def text_of(game: Checkers, s: CheckersState) -> str:
    """The board in characters: empty squares are their numbers."""
    lines = []
    for row in named_squares():
        cells = (letter_at(s, int(name)) or name if name else "" for name in row)
        lines.append(" ".join(f"{cell:>2}" for cell in cells).rstrip())
    return "\n".join([*lines, f"{game.player_name(s.mover)} to move"])
