"""Connect Four: discs fall to the bottom of a column; four in a row, in any direction, win.

The board is a 64-bit word, column by column from the left and each column from the bottom, with one bit above each
column that is always empty, so that no line runs from one column into the next (Tromp's layout).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.game.board import Board, Piece, letter, squares
from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u64
from zermelo.games.parameters import whole_number
from zermelo.games.rows import in_a_row
from zermelo.kernel.bits import count_bits, lowest_bit

MIRRORED = 18
"""Up to this many stones, tables treat mirror images as one position."""


@functools.cache
def _solved() -> tuple[tuple[int, float, int | None], ...]:
    import numpy as np  # here, so that importing the game is quick

    with np.load(Path(__file__).with_name("connect_four_solved.npz")) as file:
        rows = zip(file["keys"].tolist(), file["values"].tolist(), file["distances"].tolist(), strict=True)
        return tuple((key, value, None if distance < 0 else distance) for key, value, distance in rows)


DISCS = Piece("red", colour="red"), Piece("yellow", colour="yellow")


class ConnectFourState(NamedTuple):
    """The stones of the player to move, and all stones."""

    own: u64
    mask: u64


class ConnectFour(Game):
    """A move is a column, from 0 on the left; people count from 1."""

    utility_range = (-1.0, 1.0)
    ends_without_moves = True

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
        self.column = (1 << height) - 1
        self.full = self.bottom * self.column
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
        return -1.0 if self.to_move(s) == p else 1.0  # the line belongs to the player who has just moved

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

    # Hints for the engine.

    def winning_cells(self, stones: int) -> int:
        """The cells, empty or not, that would make k in a row together with these stones."""
        cells = 0
        for step in (1, self.height, self.height + 1, self.height + 2):
            for before in range(self.k):
                run = self.full
                for i in range(1, before + 1):
                    run &= stones << i * step
                for i in range(1, self.k - before):
                    run &= stones >> i * step
                cells |= run
        return cells

    def list_actions(self, s: ConnectFourState, room: Any) -> int:
        """Every column is written; the next one overwrites it if it is full. Rollouts are faster without a branch."""
        if self.has_line(s.own ^ s.mask) or len(room) < self.width:
            count = 0
            for a in self.actions(s):
                if count < len(room):
                    room[count] = a
                count += 1
            return count
        count = 0
        for column in range(self.width):
            room[count] = column
            count += 1 - (s.mask >> (column * (self.height + 1) + self.height - 1) & 1)
        return count

    def rollout(self, s: ConnectFourState, random: Any) -> int:
        """Win at once; else stop a threat; else any move but below a cell that the opponent wants.

        Decisive and anti-decisive moves (Teytaud and Teytaud 2010).
        """
        open_cells = (s.mask + self.bottom) & self.full
        cells = self.winning_cells(s.own) & open_cells
        if cells == 0:
            wanted = self.winning_cells(s.own ^ s.mask) & ~s.mask
            cells = wanted & open_cells
            if cells == 0:
                cells = open_cells & ~(wanted >> 1)
                if cells == 0:
                    cells = open_cells
        for _ in range(random.pick(count_bits(cells))):
            cells &= cells - 1
        return lowest_bit(cells) // (self.height + 1)

    def safe_actions(self, s: ConnectFourState) -> Iterator[int]:
        """A threat of the opponent's must be met, two are too many; and no stone may go below a cell that it wants."""
        wanted = self.winning_cells(s.own ^ s.mask) & ~s.mask
        open_cells = (s.mask + self.bottom) & self.full
        forced = wanted & open_cells
        if forced != 0:
            open_cells = forced if forced & (forced - 1) == 0 else 0
        open_cells &= ~(wanted >> 1)
        while open_cells != 0:
            yield lowest_bit(open_cells) // (self.height + 1)
            open_cells &= open_cells - 1

    def promise(self, s: ConnectFourState, a: int) -> float:
        """The number of winning cells after the move; among equals, prefer the centre."""
        stone = (s.mask + (1 << a * (self.height + 1))) & ~s.mask
        wins = count_bits(self.winning_cells(s.own | stone) & ~s.mask)
        return float(self.width * wins - abs(2 * a - self.width + 1))

    def bounds(self, s: ConnectFourState) -> tuple[float, float]:
        """A player cannot win without room for a line in the empty cells; with many empty cells, both have room."""
        if 3 * count_bits(s.mask) < 2 * self.width * self.height:
            return -1.0, 1.0
        return (
            -1.0 if self.has_line(self.full ^ s.own) else 0.0,
            1.0 if self.has_line(self.full ^ s.own ^ s.mask) else 0.0,
        )

    def plies_left(self, s: ConnectFourState) -> int:
        return self.width * self.height - count_bits(s.mask)

    def key(self, s: ConnectFourState) -> int:
        """The sum is unique: it sets the bit above each column's top stone unless the stone is the mover's."""
        return s.own + s.mask

    def canonical_key(self, s: ConnectFourState) -> int:
        """Early on, mirror images count as one; later they are too rare to be worth the trouble."""
        key = s.own + s.mask
        if count_bits(s.mask) > MIRRORED:
            return key
        mirrored = 0
        for column in range(self.width):
            mirrored = mirrored << self.height + 1 | key >> column * (self.height + 1) & (2 * self.column + 1)
        return min(key, mirrored)

    def solved_positions(self) -> Iterable[tuple[int, float, int | None]]:
        """Of the usual board, by `scripts/solve_openings.py`: the first moves, and how the first player wins."""
        usual = type(self) is ConnectFour and (self.width, self.height, self.k) == (7, 6, 4)
        return _solved() if usual else ()  # a variant has other rules, or other keys

    # What a network may look at.

    def feature_names(self) -> tuple[str, ...]:
        cells = [f"{letter(column)}{row + 1}" for column in range(self.width) for row in range(self.height)]
        kinds = ("own disc on", "opponent's disc on", f"own disc would make {self.k} on", "opponent's disc would on")
        return tuple(f"{kind} {cell}" for kind in kinds for cell in cells)

    def features(self, s: ConnectFourState, p: int) -> Iterator[tuple[int, float]]:
        """The discs of both players, and the empty cells that each of them waits for."""
        own = s.own if self.to_move(s) == p else s.own ^ s.mask
        other = own ^ s.mask
        wanted, feared = self.winning_cells(own) & ~s.mask, self.winning_cells(other) & ~s.mask
        size = self.width * self.height
        for cells, first in ((own, 0), (other, size), (wanted, 2 * size), (feared, 3 * size)):
            left = cells
            while left != 0:
                bit = lowest_bit(left)
                yield first + bit // (self.height + 1) * self.height + bit % (self.height + 1), 1.0
                left &= left - 1

    # For people.

    @property
    def title(self) -> str:
        return self._titled("Connect Four")

    def action_name(self, s: ConnectFourState, a: int) -> str:
        return str(a + 1)

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else ("Red", "Yellow")[p]

    def ending(self, s: ConnectFourState) -> str:
        return f"{self.k} in a row" if self.has_line(s.own ^ s.mask) else "a full board"

    def picture(self, s: ConnectFourState) -> Board:
        columns = tuple(str(column + 1) for column in range(self.width))
        cells = {(x, y): p for x in range(self.width) for y in range(self.height) if (p := self._disc_at(s, x, y)) >= 0}
        won = [cell for p in (0, 1) for cell in in_a_row([cell for cell in cells if cells[cell] == p], self.k)]
        return Board(
            squares(self.width, self.height),
            {f"{letter(x)}{y + 1}": DISCS[p] for (x, y), p in cells.items()},
            "holes",
            columns,
            highlights={f"{letter(x)}{y + 1}": "winning" for x, y in won},
        )

    def paths(self, s: ConnectFourState, a: int) -> Iterable[tuple[str, ...]]:
        """Anywhere in the column."""
        return tuple((f"{letter(a)}{row + 1}",) for row in range(self.height))

    def text(self, s: ConnectFourState) -> str:
        width = len(str(self.width)) + 1
        lines = []
        for row in reversed(range(self.height)):
            cells = ["RY."[self._disc_at(s, column, row)] for column in range(self.width)]
            lines.append("".join(f"{cell:>{width}}" for cell in cells))
        lines.append("".join(f"{column + 1:>{width}}" for column in range(self.width)))
        return "\n".join(lines)

    def _disc_at(self, s: ConnectFourState, column: int, row: int) -> int:
        """The player whose disc is in a cell; -1 if it is empty."""
        place = 1 << column * (self.height + 1) + row
        if not s.mask & place:
            return -1
        return self.to_move(s) if s.own & place else 1 - self.to_move(s)
