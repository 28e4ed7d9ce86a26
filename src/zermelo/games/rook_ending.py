"""King and rook against king on a small board: an ending to solve by hand, for teaching retrograde analysis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.game.board import Board, Piece, squares
from zermelo.game.protocol import Game
from zermelo.game.state import i8
from zermelo.games.parameters import whole_number

KING, ROOK = range(2)
"""What moves; a move is this · 64 + the square that it goes to."""
CAPTURED = -1
PIECES = (
    Piece("white king", "king", "white"),
    Piece("black king", "king", "black"),
    Piece("white rook", "rook", "white"),
)


class RookEndingState(NamedTuple):
    """The squares of the kings and of the rook (CAPTURED if it is gone), and the player to move. a1 is 0, b1 is 1."""

    white: i8
    black: i8
    rook: i8
    mover: i8


class RookEnding(Game):
    """White has a king and a rook, Black a king. White wins by mate; a stalemate or a lost rook is a draw."""

    utility_range = (-1.0, 1.0)
    max_actions = 32

    def __init__(self, size: int = 4):
        self.size = whole_number("size, of rows and columns,", size, 3, 8)

    def initial(self) -> RookEndingState:
        return RookEndingState(0, self.size * self.size - 1, 1, 0)

    def to_move(self, s: RookEndingState) -> int:
        return s.mover

    def actions(self, s: RookEndingState) -> Iterator[int]:
        king = s.white if s.mover == 0 else s.black
        board = self.size * self.size if s.rook >= 0 else 0  # without the rook, the game is over
        for square in range(board):
            if self.is_near(king, square) and self.may_enter(s, square):
                yield 64 * KING + square
        if s.mover == 0:
            for square in range(board):
                if square != s.white and square != s.black and self.rook_reaches(s, square, s.white, s.black):
                    yield 64 * ROOK + square

    def is_near(self, one: int, other: int) -> bool:
        """Are these two neighbouring squares?"""
        columns = abs(one % self.size - other % self.size)
        rows = abs(one // self.size - other // self.size)
        return max(columns, rows) == 1

    def may_enter(self, s: RookEndingState, square: int) -> bool:
        """May the king of the player to move go to this square?"""
        if s.mover == 0:
            return square != s.rook and square != s.black and not self.is_near(square, s.black)
        if square == s.white or self.is_near(square, s.white):
            return False
        return square == s.rook or not self.rook_reaches(s, square, s.white, s.white)

    def rook_reaches(self, s: RookEndingState, square: int, one: int, other: int) -> bool:
        """Is this square on a row or a column of the rook, with neither of two pieces between them?"""
        if s.rook < 0 or square == s.rook:
            return False
        size = self.size
        if square // size == s.rook // size:
            step = 1
        elif square % size == s.rook % size:
            step = size
        else:
            return False
        low, high = min(square, s.rook), max(square, s.rook)
        blocked = False
        for between in range(low + step, high, step):
            blocked |= between in (one, other)
        return not blocked

    def in_check(self, s: RookEndingState) -> bool:
        """Does the rook attack the black king?"""
        return self.rook_reaches(s, s.black, s.white, s.white)

    def result(self, s: RookEndingState, a: int) -> RookEndingState:
        square = a & 63
        if a >> 6 == ROOK:
            return RookEndingState(s.white, s.black, square, 1)
        if s.mover == 0:
            return RookEndingState(square, s.black, s.rook, 1)
        return RookEndingState(s.white, square, CAPTURED if square == s.rook else s.rook, 0)

    def is_terminal(self, s: RookEndingState) -> bool:
        for _ in self.actions(s):
            return False
        return True

    def utility(self, s: RookEndingState, p: int) -> float:
        mated = s.rook >= 0 and s.mover == 1 and self.in_check(s)
        return (1.0 if p == 0 else -1.0) if mated else 0.0

    # For people.

    @property
    def title(self) -> str:
        return f"King and rook against king, {self.size} × {self.size}"

    def player_name(self, p: int) -> str:
        return ("White", "Black")[p]

    def square_name(self, square: int) -> str:
        return "abcdefgh"[square % self.size] + str(square // self.size + 1)

    def action_name(self, s: RookEndingState, a: int) -> str:
        taken = "x" if s.mover == 1 and a & 63 == s.rook else ""
        return "KR"[a >> 6] + taken + self.square_name(a & 63)

    def picture(self, s: RookEndingState) -> Board:
        stand = zip((s.white, s.black, s.rook), PIECES, strict=True)
        pieces = {self.square_name(square): piece for square, piece in stand if square >= 0}
        highlights = {self.square_name(s.black): "check"} if self.in_check(s) else {}
        columns, rows = tuple("abcdefgh"[: self.size]), tuple(str(row) for row in range(self.size, 0, -1))
        board = squares(self.size, self.size)
        return Board(board, pieces, "checkered", columns, rows, highlights=highlights, facing=True)

    def text(self, s: RookEndingState) -> str:
        letters = {s.white: "K", s.black: "k", s.rook: "R"}
        size = self.size
        rows = (" ".join(letters.get(size * row + column, ".") for column in range(size)) for row in range(size))
        lines = [f"{row + 1} {text}" for row, text in enumerate(rows)][::-1]
        return "\n".join([*lines, f"  {' '.join('abcdefgh'[:size])}", f"{self.player_name(s.mover)} to move"])
