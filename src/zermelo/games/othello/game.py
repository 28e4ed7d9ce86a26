"""Othello: a placed disc flips the opponent's discs between it and another own disc; most discs win.

A state is two words. `board` makes moves on them; `evaluation` judges them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.game.board import Board, Piece, letter
from zermelo.game.errors import GameError, StateError
from zermelo.game.protocol import CHANCE, State
from zermelo.game.state import u8, u64
from zermelo.game.unit import Unit, learned_slope
from zermelo.games.othello.evaluation import OthelloEvaluation
from zermelo.games.othello.patterns import images
from zermelo.games.othello.weights import DEEPEST_CUT, FILE, cut_stage, cuts
from zermelo.games.parameters import require_text
from zermelo.kernel.bits import count_bits, lowest_bit

PASS = 64
"""The move of a player who has no other move while the opponent has one."""

LATE = 20
"""With this many empty squares or fewer, the parity of each quarter of the board matters."""

FIRST_JUDGED, LAST_JUDGED, JUDGEMENT = 14, 24, 0.5
"""From how many empty squares to how many moves are ordered by the evaluation too, and its weight. With fewer, a search
of the move costs hardly more; with more, searches do not reach the end, and the moves that matter are in the table."""

WORTHWHILE = 8
"""With fewer empty squares, a search is over before stable discs are found."""

BOOK = Path(__file__).with_name("book.npz")
"""The opening book: moves of its own self-play, as `scripts/build_book.py` writes them."""

WHITE, BLACK = Piece("white", colour="white"), Piece("black")


class OthelloState(NamedTuple):
    """The discs of the player to move, those of the other, and the player to move."""

    own: u64
    other: u64
    mover: u8


class Othello(OthelloEvaluation):
    """A move is a square, from 0 (a1) row by row to 63 (h8), or PASS. The utility is the difference of discs."""

    decisive = False  # more discs are better, not an earlier end
    ends_without_moves = True
    forward_pruning = ("probcut",)

    def __init__(self, size: int = 8, weights: Any = None):
        if not isinstance(size, int) or size not in (4, 6, 8):
            raise GameError(f"size must be 4, 6 or 8, not {size!r}")
        super().__init__(size, weights)
        self.cuts = cuts(size)

    def initial(self) -> OthelloState:
        middle = 9 * (self.size // 2 - 1)  # of the four squares in the middle the first: d4 on the usual board
        return OthelloState(1 << middle + 1 | 1 << middle + 8, 1 << middle | 1 << middle + 9, 0)

    def to_move(self, s: OthelloState) -> int:
        return s.mover

    def actions(self, s: OthelloState) -> Iterator[int]:
        left = self.moves(s.own, s.other)
        if left == 0 and self.moves(s.other, s.own) != 0:
            yield PASS
        while left != 0:
            yield lowest_bit(left)
            left &= left - 1

    def result(self, s: OthelloState, a: int) -> OthelloState:
        if a == PASS:
            return OthelloState(s.other, s.own, 1 - s.mover)
        turned = self.turned(s.own, s.other, a)
        return OthelloState(s.other ^ turned, s.own ^ turned ^ u64(1) << a, 1 - s.mover)

    def is_terminal(self, s: OthelloState) -> bool:
        return self.moves(s.own, s.other) == 0 and self.moves(s.other, s.own) == 0

    def utility(self, s: OthelloState, p: int) -> float:
        worth = self.final(s.own, s.other)
        return worth if p == s.mover else -worth

    # What search can use.

    def promise(self, s: OthelloState, a: int) -> float:
        """Few replies, above all few corners, and few for later; a corner; the odd square of a quarter of the board.

        The weights are those with which alpha-beta solves endgames of 14 to 20 squares in the fewest positions.
        """
        if a == PASS:
            return 0.0
        place = u64(1) << a
        turned = self.turned(s.own, s.other, a)
        own, other = s.own ^ turned ^ place, s.other ^ turned
        empty = self.board & ~(s.own | s.other)
        replies = self.moves(other, own)
        worth = -2 * count_bits(replies) - 4 * count_bits(replies & self.corners) - count_bits(self.around(own) & empty)
        if place & self.corners:
            worth += 2
        left = count_bits(empty)
        if left <= LATE:
            worth += count_bits(empty & u64(self.quarters[a])) & 1
        if FIRST_JUDGED <= left <= LAST_JUDGED:
            return worth - JUDGEMENT * self.evaluate(OthelloState(other, own, 1 - s.mover), 1 - s.mover)
        return float(worth)

    def bounds(self, s: OthelloState) -> tuple[float, float]:
        """Exact with at most two empty squares; with more, and corners taken, stable discs stay with their owner."""
        occupied = s.own | s.other
        empty = self.board & ~occupied
        count = count_bits(empty)
        if count <= 2:
            value = self.last_squares(s.own, s.other, empty)
            return value, value
        low, high = self.utility_range
        if count >= WORTHWHILE:
            if count_bits(s.own & self.corners) >= 2:
                low += 2.0 * count_bits(self.stable(s.own, occupied))
            if count_bits(s.other & self.corners) >= 2:
                high -= 2.0 * count_bits(self.stable(s.other, occupied))
        return low, high

    def plies_left(self, s: OthelloState) -> int:
        """The number of empty squares, ignoring passes."""
        return self.squares - count_bits(s.own | s.other)

    def probcut(self, s: OthelloState, depth: int, number: int) -> tuple[int, float, float, float]:
        """From regressions over searches of positions with about as many empty squares."""
        known = self.cuts[cut_stage(self.plies_left(s)), min(depth, DEEPEST_CUT), number]
        return int(known[0]), float(known[1]), float(known[2]), float(known[3])

    def key(self, s: OthelloState) -> int:
        return self.canonical_key(s) ^ s.mover * 0x5851F42D4C957F2D

    def canonical_key(self, s: OthelloState) -> int:
        """Without the mover: the value for the player to move does not depend on the colour."""
        z = u64(s.own * 0x9E3779B97F4A7C15)
        z = u64((z ^ z >> 32) + s.other)
        z = u64((z ^ z >> 30) * 0xBF58476D1CE4E5B9)
        z = u64((z ^ z >> 27) * 0x94D049BB133111EB)
        return z ^ z >> 31

    # Evaluation.

    def unit(self) -> Unit:
        return Unit("discs", digits=1, slope=learned_slope(FILE) if self.size == 8 else None)

    # For people.

    def own_book(self) -> Path | None:
        return BOOK if self.size == 8 else None

    def book_key(self, s: OthelloState) -> int:
        """The least key of the eight images of the position."""
        kept = zip(*(_images_of(word, self.size) for word in (s.own, s.other)), strict=True)
        return min(self.key(OthelloState(own, other, s.mover)) for own, other in kept)

    def action_name(self, s: OthelloState, a: int) -> str:
        return "pass" if a == PASS else f"{'abcdefgh'[a & 7]}{(a >> 3) + 1}"

    def action_named(self, s: OthelloState, name: str) -> int:
        """Also by the ways in which other programs write a pass."""
        named: int = super().action_named(s, "pass" if name.strip().casefold() in ("pa", "ps", "--") else name)
        return named

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else ("Black", "White")[p]

    def ending(self, s: OthelloState) -> str | None:
        lead = abs(self.utility(s, 0))
        return f"{lead:g} disc{'s' * (lead != 1)}" if lead else None

    def standing(self, s: OthelloState, p: int) -> str:
        discs = count_bits(s.own if s.mover == p else s.other)
        return f"{discs} disc{'s' * (discs != 1)}"

    def picture(self, s: OthelloState) -> Board:
        black, white = (s.own, s.other) if s.mover == 0 else (s.other, s.own)
        size = self.size
        named = tuple(tuple(f"{letter(x)}{y + 1}" for x in range(size)) for y in range(size))
        pieces = {}
        for y in range(size):
            for x in range(size):
                place = 1 << 8 * y + x
                if (black | white) & place:
                    pieces[named[y][x]] = BLACK if black & place else WHITE
        sides = tuple(str(y + 1) for y in range(size))
        return Board(named, pieces, "felt", tuple(letter(x) for x in range(size)), sides)

    def paths(self, s: OthelloState, a: int) -> Iterable[tuple[str, ...]]:
        return () if a == PASS else ((f"{letter(a % 8)}{a // 8 + 1}",),)

    def text(self, s: OthelloState) -> str:
        black, white = (s.own, s.other) if s.mover == 0 else (s.other, s.own)
        legal = self.moves(s.own, s.other)
        lines = ["  " + " ".join("abcdefgh"[: self.size])]
        for y in range(self.size):
            cells = [
                "X" if black & place else "O" if white & place else "*" if legal & place else "-"
                for place in (1 << 8 * y + x for x in range(self.size))
            ]
            lines.append(f"{y + 1} {' '.join(cells)}")
        turn = "the game is over" if self.is_terminal(s) else f"{self.player_name(s.mover)} to move"
        lines.append(f"Black (X) {count_bits(black)}, White (O) {count_bits(white)}; {turn}")
        return "\n".join(lines)

    def to_text(self, s: OthelloState) -> str:
        black, white = (s.own, s.other) if s.mover == 0 else (s.other, s.own)
        places = (1 << 8 * y + x for y in range(self.size) for x in range(self.size))
        return "".join("X" if black & b else "O" if white & b else "-" for b in places) + " " + "XO"[s.mover]

    def from_text(self, text: str) -> OthelloState:
        """The position with these squares, row by row from a1, and then the player to move, by default X.

        X is black, O is white, - or . is an empty square. Blanks do not count.
        """
        require_text(text, "a position of Othello")
        rows = text.upper().replace(".", "-").split()
        squares, mover = "".join(rows), "X"
        if len(squares) > self.squares or (rows and len(rows[-1]) == 1 < len(rows[0])):
            squares, mover = squares[:-1], squares[-1]
        if len(squares) != self.squares:
            raise StateError(f"the board has {self.squares} squares, but this text {len(squares)}: {text!r}")
        words = {"X": 0, "O": 0, "-": 0}
        for number, square in enumerate(squares):
            if square not in words:
                name = self.action_name(None, number // self.size * 8 + number % self.size)  # type: ignore[arg-type]
                raise StateError(f"square {name} is {square!r}; it must be X (black), O (white) or - (empty)")
            words[square] |= 1 << number // self.size * 8 + number % self.size
        if mover not in ("X", "O"):
            raise StateError(f"the player to move is X (black) or O (white), not {mover!r}")
        if mover == "X":
            return OthelloState(words["X"], words["O"], 0)
        return OthelloState(words["O"], words["X"], 1)

    def checked(self, state: State) -> OthelloState:
        s: OthelloState = super().checked(state)
        if s.own & s.other:
            both = self.action_name(s, lowest_bit(s.own & s.other))
            raise StateError(f"{s} is not a state of {self.title}: both players have a disc on {both}")
        if (s.own | s.other) & ~self.board:
            raise StateError(f"{s} is not a state of {self.title}: there are discs beyond the board")
        if s.mover > 1:
            raise StateError(f"{s} is not a state of {self.title}: the mover is 0 or 1")
        return s


def _images_of(word: int, size: int) -> list[int]:
    """A set of squares under each of the eight symmetries of the board."""
    found = [0] * 8
    while word:
        for number, target in enumerate(_targets(size)[lowest_bit(word)]):
            found[number] |= 1 << target
        word &= word - 1
    return found


@functools.cache
def _targets(size: int) -> dict[int, list[int]]:
    """Where each of the eight symmetries moves each square."""
    squares = tuple((x, y) for y in range(size) for x in range(size))
    found = images(squares, size)
    return {8 * y + x: [8 * image[i][1] + image[i][0] for image in found] for i, (x, y) in enumerate(squares)}
