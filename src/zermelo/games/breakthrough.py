"""Breakthrough (Dan Troyka 2000): two armies advance towards each other; the first to reach the far row wins.

The board is two 64-bit words, row by row from White's side and each row from the left, so that a step ahead is a shift
by the width, and all steps of an army in one direction are one shift.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.game.board import Board, Piece, letter, squares
from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u8, u64
from zermelo.games.parameters import finite_weights, whole_number
from zermelo.kernel.bits import count_bits, lowest_bit

LARGEST_ESTIMATE = 0.99
"""No estimate is as extreme as a win that has been seen."""

WIN, CAPTURE, EXPOSED = 1000.0, 100.0, 50.0
"""Parts of promises: a win comes first, then captures, then quiet moves; moves to attacked squares come last."""

GUARDS = 8
"""The number of the first feature on the home row; features of the other rows follow."""

WHITE, BLACK = Piece("white", colour="white"), Piece("black")


class BreakthroughState(NamedTuple):
    """White's pieces, Black's pieces, and the player to move: 0 is White, who moves up the board."""

    white: u64
    black: u64
    mover: u8


class Breakthrough(Game):
    """A move is 64 · from + to, where a square is width · row + column."""

    utility_range = (-1.0, 1.0)
    may_be_drawn = False
    ends_without_moves = True

    def __init__(self, width: int = 8, height: int = 8, rows: int = 2, weights: Iterable[float] | None = None):
        self.width = whole_number("width", width, 2, 26)  # a letter for each column
        self.height = whole_number("height", height, 2, 32)
        self.rows = whole_number("rows, how many each army fills,", rows, 1, 16)
        if width * height > 64:
            raise GameError(
                f"width · height may be at most 64, the bits of a word; {width} · {height} is {width * height}"
            )
        if height < 2 * rows:
            raise GameError(f"two armies of {rows} rows need a height of at least {2 * rows}, not {height}")
        self.full = (1 << width * height) - 1
        self.bottom = (1 << width) - 1
        self.left = self.full // self.bottom  # the column on the left
        self.not_left, self.not_right = self.full & ~self.left, self.full & ~(self.left << width - 1)
        self.guards = (width + 1) // 2  # columns as far from the edge on the left as on the right count as one
        self.max_actions = 3 * width * rows
        self.weights = self._default_weights() if weights is None else finite_weights(weights, self.feature_names())

    def initial(self) -> BreakthroughState:
        army = (1 << self.width * self.rows) - 1
        return BreakthroughState(army, army << self.width * (self.height - self.rows), 0)

    def to_move(self, s: BreakthroughState) -> int:
        return s.mover

    def actions(self, s: BreakthroughState) -> Iterator[int]:
        for side in (-1, 1, 0):
            left = self.reached(s, side, self.full)
            while left != 0:  # rather than a generator of moves that three methods share: that is eight times as slow
                yield self.move(s, side, lowest_bit(left))
                left &= left - 1

    def result(self, s: BreakthroughState, a: int) -> BreakthroughState:
        origin, target = u64(1) << (a >> 6), u64(1) << (a & 63)
        if s.mover == 0:
            return BreakthroughState(s.white ^ origin ^ target, s.black & ~target, 1)
        return BreakthroughState(s.white & ~target, s.black ^ origin ^ target, 0)

    def is_terminal(self, s: BreakthroughState) -> bool:
        # There is always a move before that: the foremost piece has no own piece ahead, so a diagonal is free.
        arrived = s.white & self.row(0, self.height - 1) | s.black & self.row(1, self.height - 1)
        return arrived != 0 or s.white == 0 or s.black == 0

    def utility(self, s: BreakthroughState, p: int) -> float:
        return -1.0 if s.mover == p else 1.0  # only the player who has just moved can have won

    # The board.

    def pieces(self, s: BreakthroughState, p: int) -> int:
        """The pieces of player p."""
        return s.white if p == 0 else s.black

    def row(self, p: int, r: int) -> int:
        """The squares of a row, counted from 0 at player p's own side."""
        return u64(self.bottom) << self.width * (r if p == 0 else self.height - 1 - r)

    def ahead(self, squares: int, p: int, side: int) -> int:
        """The squares one step ahead of these for player p: straight (0), to the left (-1) or to the right (1)."""
        if side < 0:
            squares &= self.not_left
        if side > 0:
            squares &= self.not_right
        return squares << self.width + side & self.full if p == 0 else squares >> self.width - side

    def attacked(self, squares: int, p: int) -> int:
        """The squares on which player p's pieces, on these squares, could capture."""
        return self.ahead(squares, p, -1) | self.ahead(squares, p, 1)

    def targets(self, s: BreakthroughState, p: int, side: int) -> int:
        """The squares that player p's pieces can move to in one of the three directions."""
        taken = s.white | s.black if side == 0 else self.pieces(s, p)
        return self.ahead(self.pieces(s, p), p, side) & ~taken

    def reached(self, s: BreakthroughState, side: int, wanted: int) -> int:
        """The target squares that the mover reaches in this direction; none if the game is over."""
        return u64(0) if self.is_terminal(s) else self.targets(s, s.mover, side) & wanted

    def move(self, s: BreakthroughState, side: int, target: int) -> int:
        """The mover's move to this square in one of the three directions."""
        step = self.width + side if s.mover == 0 else side - self.width
        return (target - step) * 64 + target

    def mirrored(self, squares: int) -> int:
        """The same squares with left and right exchanged."""
        mirror = u64(0)
        for column in range(self.width):
            mirror |= (squares >> column & self.left) << self.width - 1 - column
        return mirror

    # Hints for the engine.

    def runners(self, s: BreakthroughState, p: int) -> int:
        """Player p's pieces that are one step from the far row."""
        return self.pieces(s, p) & self.row(p, self.height - 2)

    def breaks_through(self, s: BreakthroughState, p: int) -> int:
        """Squares one step from the far row that player p can move to and on which it cannot be captured.

        Only a piece on its home row could capture there, and no piece ever returns to it.
        """
        free = self.row(p, self.height - 2) & ~self.attacked(self.pieces(s, 1 - p), 1 - p)
        return (self.targets(s, p, -1) | self.targets(s, p, 0) | self.targets(s, p, 1)) & free

    def bounds(self, s: BreakthroughState) -> tuple[float, float]:
        """Known if a player reaches the far row at once, or with the next move but one and cannot be stopped."""
        p = s.mover
        if self.is_terminal(s):
            return (-1.0, -1.0)
        if self.runners(s, p) != 0:
            return (1.0, 1.0)
        threats = self.runners(s, 1 - p)
        if threats == 0:
            return (1.0, 1.0) if self.breaks_through(s, p) != 0 else (-1.0, 1.0)
        if count_bits(threats) > 1 or threats & self.attacked(self.pieces(s, p), p) == 0:
            return (-1.0, -1.0)
        return (-1.0, 1.0)

    def safe_actions(self, s: BreakthroughState) -> Iterator[int]:
        safe = self.safe_targets(s)
        for side in (-1, 1, 0):
            left = self.reached(s, side, safe)
            while left != 0:
                yield self.move(s, side, lowest_bit(left))
                left &= left - 1

    def safe_targets(self, s: BreakthroughState) -> int:
        """The squares to which moves are safe: whether one is depends on nothing else."""
        p = s.mover
        own, other = self.pieces(s, p), self.pieces(s, 1 - p)
        threats = self.runners(s, 1 - p)
        safe = u64(self.full)
        if threats != 0:
            safe = threats if threats & (threats - 1) == 0 else u64(0)  # one can be captured, two cannot
        if own & (own - 1) == 0:
            safe &= ~self.attacked(other, 1 - p)  # the last piece must not be captured
        safe |= self.row(p, self.height - 1)
        if other & (other - 1) == 0:
            safe |= other
        return safe

    def noisy_actions(self, s: BreakthroughState) -> Iterator[int]:
        p = s.mover
        noisy = self.pieces(s, 1 - p) | self.row(p, self.height - 1) | self.row(p, self.height - 2)
        for side in (-1, 1, 0):
            left = self.reached(s, side, noisy)
            while left != 0:
                yield self.move(s, side, lowest_bit(left))
                left &= left - 1

    def may_stand(self, s: BreakthroughState) -> bool:
        """False if the opponent wins with the next move, or if every move goes to an attacked square."""
        p = s.mover
        own = self.pieces(s, p)
        attacked = self.attacked(self.pieces(s, 1 - p), 1 - p)
        if self.runners(s, 1 - p) != 0 or (own & ~attacked == 0 and own & (own - 1) == 0):
            return False
        return (self.targets(s, p, -1) | self.targets(s, p, 0) | self.targets(s, p, 1)) & ~attacked != 0

    def promise(self, s: BreakthroughState, a: int) -> float:
        p = s.mover
        target = u64(1) << (a & 63)
        other = self.pieces(s, 1 - p)
        row = (a & 63) // self.width
        if p == 1:
            row = self.height - 1 - row
        if row == self.height - 1:
            return WIN
        if other & target != 0:
            return CAPTURE + self.height - row  # the further it has come, the better that it is gone
        return row - EXPOSED if self.attacked(target, p) & other != 0 else float(row)

    def mirror_image(self, s: BreakthroughState) -> BreakthroughState:
        return BreakthroughState(self.mirrored(s.white), self.mirrored(s.black), s.mover)

    def canonical_key(self, s: BreakthroughState) -> int:
        white, black = self.mirrored(s.white), self.mirrored(s.black)
        if white > s.white or (white == s.white and black > s.black):
            white, black = s.white, s.black
        return self.key(BreakthroughState(white, black, s.mover))

    # The evaluation: everything is p's own less the opponent's.

    def evaluate(self, s: BreakthroughState, p: int) -> float:
        if self.is_terminal(s):
            return LARGEST_ESTIMATE * self.utility(s, p)
        return min(max(self.weighted_features(s, p), -LARGEST_ESTIMATE), LARGEST_ESTIMATE)

    def feature_names(self) -> tuple[str, ...]:
        guards = (f"on the home row, column {c + 1} from the edge" for c in range(self.guards))
        rows = (f"on row {r + 1}" for r in range(2, self.height - 1))
        return (
            "pieces",
            "to move",
            "moves",
            "protected pieces",
            "hanging pieces of the player to move",
            "hanging pieces of the other player",
            "one step from the far row, not attacked",
            "two steps from the far row, not attacked and with a safe step ahead",
            *guards,
            *rows,
        )

    def features(self, s: BreakthroughState, p: int) -> Iterator[tuple[int, float]]:
        counts = self.counts(s, p)
        for number in range(GUARDS):
            yield number, counts[number]
        for c in range(self.guards):
            yield GUARDS + c, self.on_home_row(s, p, c)
        for r in range(2, self.height - 1):  # on the second row a piece has no extra value
            yield GUARDS + self.guards + r - 2, self.on_row(s, p, r)

    def weighted_features(self, s: BreakthroughState, p: int) -> float:
        """The same sum as by `features`, in a third of the time: a generator is much to ask of so few instructions."""
        counts = self.counts(s, p)
        total = 0.0
        for number in range(GUARDS):
            total += self.weights[number] * counts[number]
        for c in range(self.guards):
            total += self.weights[GUARDS + c] * self.on_home_row(s, p, c)
        for r in range(2, self.height - 1):
            total += self.weights[GUARDS + self.guards + r - 2] * self.on_row(s, p, r)
        return total

    def counts(self, s: BreakthroughState, p: int) -> tuple[float, ...]:
        """The amounts of the first features, which all boards have."""
        q = 1 - p
        own, other = self.pieces(s, p), self.pieces(s, q)
        by_own, by_other = self.attacked(own, p), self.attacked(other, q)
        hanging, prey = count_bits(own & by_other & ~by_own), count_bits(other & by_own & ~by_other)
        return (
            float(count_bits(own) - count_bits(other)),
            1.0 if s.mover == p else -1.0,
            float(self.mobility(s, p) - self.mobility(s, q)),
            float(count_bits(own & by_own) - count_bits(other & by_other)),
            float(hanging if s.mover == p else -prey),
            float(-prey if s.mover == p else hanging),
            float(count_bits(self.runners(s, p) & ~by_other) - count_bits(self.runners(s, q) & ~by_own)),
            float(self.two_steps(s, p, by_other) - self.two_steps(s, q, by_own)),
        )

    def on_home_row(self, s: BreakthroughState, p: int, c: int) -> float:
        """Pieces on the home row, this many columns from the left or right edge."""
        columns = u64(self.left) << c | u64(self.left) << self.width - 1 - c
        own, other = self.pieces(s, p) & self.row(p, 0), self.pieces(s, 1 - p) & self.row(1 - p, 0)
        return float(count_bits(own & columns) - count_bits(other & columns))

    def on_row(self, s: BreakthroughState, p: int, r: int) -> float:
        """Pieces on a row, counted from their own side."""
        own, other = self.pieces(s, p) & self.row(p, r), self.pieces(s, 1 - p) & self.row(1 - p, r)
        return float(count_bits(own) - count_bits(other))

    def mobility(self, s: BreakthroughState, p: int) -> int:
        """The number of moves that player p would have."""
        count = 0
        for side in (-1, 0, 1):
            count += count_bits(self.targets(s, p, side))
        return count

    def two_steps(self, s: BreakthroughState, p: int, attacked: int) -> int:
        """The number of player p's pieces two steps from the far row with a safe step ahead."""
        free = self.row(p, self.height - 2) & ~attacked
        ready = u64(0)
        for side in (-1, 0, 1):  # back from the free squares to the pieces that can step there
            ready |= self.ahead(self.targets(s, p, side) & free, 1 - p, -side)
        return count_bits(ready & ~attacked)

    def _default_weights(self) -> Any:
        guards = [0.008 if c == 0 else 0.02 for c in range(self.guards)]
        rows = [0.05 * ((r - 1) / (self.height - 3)) ** 2 for r in range(2, self.height - 1)]
        return np.array([0.04, 0.02, 0.002, 0.006, -0.005, -0.03, 0.4, 0.2, *guards, *rows])

    # For people.

    def action_name(self, s: BreakthroughState, a: int) -> str:
        captures = self.pieces(s, 1 - s.mover) >> (a & 63) & 1
        return f"{self._square(a >> 6)}{'x' if captures else '-'}{self._square(a & 63)}"

    def action_named(self, s: BreakthroughState, name: str) -> int:
        """The move, however it is written: a2-b3, a2xb3 or a2b3."""
        read = re.fullmatch(r"([a-z]\d+)[-x]?([a-z]\d+)", name.strip().casefold())
        if read:
            for a in self.legal(s):
                if (self._square(a >> 6), self._square(a & 63)) == read.groups():
                    return int(a)
        return int(super().action_named(s, name))  # its error lists the legal moves

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else ("White", "Black")[p]

    def ending(self, s: BreakthroughState) -> str:
        return "capturing all pieces" if s.white == 0 or s.black == 0 else "reaching the last row"

    def standing(self, s: BreakthroughState, p: int) -> str:
        taken = self.rows * self.width - (s.black if p == 0 else s.white).bit_count()
        return f"{taken} captured" if taken > 0 else ""

    def picture(self, s: BreakthroughState) -> Board:
        named = squares(self.width, self.height)
        pieces = {self._square(i): WHITE for i in range(self.width * self.height) if s.white >> i & 1}
        pieces |= {self._square(i): BLACK for i in range(self.width * self.height) if s.black >> i & 1}
        sides = tuple(str(row + 1) for row in reversed(range(self.height)))
        arrived = [name for row, man in ((0, WHITE), (-1, BLACK)) for name in named[row] if pieces.get(name) == man]
        columns, winning = tuple(letter(column) for column in range(self.width)), dict.fromkeys(arrived, "winning")
        return Board(named, pieces, "checkered", columns, sides, highlights=winning, facing=True)

    def paths(self, s: BreakthroughState, a: int) -> Iterable[tuple[str, ...]]:
        return ((self._square(a >> 6), self._square(a & 63)),)

    def text(self, s: BreakthroughState) -> str:
        margin = len(str(self.height))
        lines = []
        for row in reversed(range(self.height)):
            squares = range(row * self.width, (row + 1) * self.width)
            cells = ("W" if s.white >> i & 1 else "B" if s.black >> i & 1 else "." for i in squares)
            lines.append(f"{row + 1:>{margin}} {' '.join(cells)}")
        lines.append(" " * margin + "".join(f" {chr(ord('a') + column)}" for column in range(self.width)))
        return "\n".join(lines)

    def _square(self, i: int) -> str:
        return f"{chr(ord('a') + i % self.width)}{i // self.width + 1}"
