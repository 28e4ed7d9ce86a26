"""Connect Four: stones fall to the bottom of a column; four in a row, in any direction, win.

The board is a 64-bit word, column by column from the left and each column from the bottom, with one bit above each
column that is always empty, so that no line runs from one column into the next (Tromp's layout).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u64
from zermelo.games.parameters import whole_number
from zermelo.kernel.bits import count_bits


class ConnectFourState(NamedTuple):
    """The stones of the player to move, and all stones."""

    own: u64
    mask: u64


class ConnectFour(Game):
    """A move is a column, from 0 on the left; people count from 1."""

    utility_range = (-1.0, 1.0)

    def __init__(self, width: int = 7, height: int = 6, k: int = 4):
        self.width = whole_number("width", width, 1, 32)
        self.height = whole_number("height", height, 1, 63)
        self.k = whole_number("k, how many in a row win,", k, 1, 64)
        if width * (height + 1) > 64:
            raise GameError(
                f"width · (height + 1) may be at most 64, the bits of a word; {width} · ({height} + 1) is "
                f"{width * (height + 1)}"
            )
        self.bottom = sum(1 << column * (height + 1) for column in range(width))
        self.full = self.bottom * ((1 << height) - 1)
        self.max_actions = width

    def initial(self) -> ConnectFourState:
        return ConnectFourState(0, 0)

    def to_move(self, s: ConnectFourState) -> int:
        return count_bits(s.mask) & 1

    def actions(self, s: ConnectFourState) -> Iterator[int]:
        if self.has_line(s.own ^ s.mask):
            return
        for column in range(self.width):
            if s.mask >> (column * (self.height + 1) + self.height - 1) & 1 == 0:
                yield column

    def result(self, s: ConnectFourState, a: int) -> ConnectFourState:
        lowest = 1 << a * (self.height + 1)
        return ConnectFourState(s.own ^ s.mask, s.mask | (s.mask + lowest))  # the sum carries up to the empty cell

    def is_terminal(self, s: ConnectFourState) -> bool:
        return self.has_line(s.own ^ s.mask) or s.mask == self.full

    def utility(self, s: ConnectFourState, p: int) -> float:
        if not self.has_line(s.own ^ s.mask):
            return 0.0
        return -1.0 if self.to_move(s) == p else 1.0  # the line is that of the player who has just moved

    def has_line(self, stones: int) -> bool:
        """Are k of these stones in a row?"""
        for step in (1, self.height, self.height + 1, self.height + 2):  # upright, falling, level, rising
            run = stones
            length = 1  # run holds the stones that begin a row of this length
            while length < self.k:
                more = min(length, self.k - length)
                run &= run >> more * step
                length += more
            if run != 0:
                return True
        return False

    # For people.

    def action_name(self, s: ConnectFourState, a: int) -> str:
        return str(a + 1)

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else "XO"[p]

    def text(self, s: ConnectFourState) -> str:
        first = s.own if self.to_move(s) == 0 else s.own ^ s.mask
        width = len(str(self.width)) + 1
        lines = []
        for row in reversed(range(self.height)):
            places = [1 << column * (self.height + 1) + row for column in range(self.width)]
            cells = ["." if not s.mask & place else "X" if first & place else "O" for place in places]
            lines.append("".join(f"{cell:>{width}}" for cell in cells))
        lines.append("".join(f"{column + 1:>{width}}" for column in range(self.width)))
        return "\n".join(lines)
