"""Liar's dice: a die each under a cup, and bids that may be lies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.game.board import Board
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u8, u64
from zermelo.games.parameters import whole_number

LIAR = 0
"""The move that doubts the last bid; bid b is the move b, from 1."""


class LiarsDiceState(NamedTuple):
    """The faces from 1, or 0 before the roll; the bids made so far as bits; the number of moves; 1 after a doubt."""

    first: u8
    second: u8
    bids: u64
    moves: u8
    doubted: u8


class LiarsDice(Game):
    """Each player rolls a die in secret. A bid says how many dice of both show a face: 1 × 2, say, or 2 × 5.

    Each bid must be higher than the last: more dice, or as many with a higher face. The highest face counts as any.
    Instead of bidding a player may call the last bid a lie. Then the dice are shown: if the bid was true, the
    doubter loses, otherwise the bidder.
    """

    chance = True
    deals_once = True
    hidden = True
    utility_range = (-1.0, 1.0)

    def __init__(self, sides: int = 6):
        self.sides = whole_number("sides", sides, 2, 16)
        self.bids = 2 * self.sides
        self.max_actions = max(self.sides * self.sides, self.bids + 1)

    def initial(self) -> LiarsDiceState:
        return LiarsDiceState(0, 0, 0, 0, 0)

    def to_move(self, s: LiarsDiceState) -> int:
        return CHANCE if s.first == 0 else s.moves % 2

    def last_bid(self, s: LiarsDiceState) -> int:
        """The last bid; 0 if there is none. Bids are made in ascending order."""
        bid = 0
        left = s.bids
        while left != 0:
            left >>= 1
            bid += 1
        return bid

    def actions(self, s: LiarsDiceState) -> Iterator[int]:
        if s.doubted == 0:
            last = self.last_bid(s)
            if last > 0:
                yield LIAR
            for bid in range(last + 1, self.bids + 1):
                yield bid

    def outcomes(self, s: LiarsDiceState) -> Iterator[tuple[int, float]]:
        """Both faces, as 32 · first + second."""
        chance = 1.0 / (self.sides * self.sides)
        for first in range(1, self.sides + 1):
            for second in range(1, self.sides + 1):
                yield 32 * first + second, chance

    def result(self, s: LiarsDiceState, a: int) -> LiarsDiceState:
        if s.first == 0:
            return LiarsDiceState(a >> 5, a & 31, 0, 0, 0)
        if a == LIAR:
            return LiarsDiceState(s.first, s.second, s.bids, s.moves + 1, 1)
        return LiarsDiceState(s.first, s.second, s.bids | u64(1) << u64(a - 1), s.moves + 1, 0)

    def is_terminal(self, s: LiarsDiceState) -> bool:
        return s.doubted != 0

    def utility(self, s: LiarsDiceState, p: int) -> float:
        bid = self.last_bid(s) - 1
        dice, face = 1 + bid // self.sides, 1 + bid % self.sides
        shown = 0
        for die in (s.first, s.second):
            shown += 1 if die == face or die == self.sides else 0
        doubter = (s.moves + 1) % 2  # who made the last move
        loser = doubter if shown >= dice else 1 - doubter
        return -1.0 if p == loser else 1.0

    def information(self, s: LiarsDiceState, p: int) -> tuple[int, int, int]:
        """The player's own die, and the bids. All dice are known after a doubt, but then the game is over."""
        return (s.first if p == 0 else s.second), s.bids, s.doubted

    def resample(self, s: LiarsDiceState, p: int, random: Any) -> LiarsDiceState:
        """The opponent's die rolled again, as if its bids revealed nothing."""
        if s.first == 0:
            return s
        other = 1 + random.below(self.sides)
        if p == 0:
            return LiarsDiceState(s.first, other, s.bids, s.moves, s.doubted)
        return LiarsDiceState(other, s.second, s.bids, s.moves, s.doubted)

    # For people.

    @property
    def title(self) -> str:
        return self._titled("Liar's dice")

    def action_name(self, s: LiarsDiceState, a: int) -> str:
        if s.first == 0:
            return f"{a >> 5}-{a & 31}"
        return "liar" if a == LIAR else f"{1 + (a - 1) // self.sides}x{1 + (a - 1) % self.sides}"

    def information_name(self, s: LiarsDiceState, p: int) -> str:
        return f"{s.first if p == 0 else s.second}: {self._bids_text(s)}"

    def seen_by(self, s: LiarsDiceState, p: int) -> LiarsDiceState:
        return s._replace(**{"second" if p == 0 else "first": 0})

    def picture(self, s: LiarsDiceState) -> Board:
        cups = tuple((self.player_name(p), (die,)) for p, die in enumerate((s.first, s.second)))
        return Board(cups=cups, lines=(self._bids_text(s),))

    def _bids_text(self, s: LiarsDiceState) -> str:
        rolled = LiarsDiceState(1, 1, 0, 0, 0)
        bids = [self.action_name(rolled, bid) for bid in range(1, self.bids + 1) if s.bids >> (bid - 1) & 1]
        return ", ".join([*bids, *(["liar"] if s.doubted else [])]) or "no bids yet"
