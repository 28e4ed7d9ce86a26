"""Goofspiel, the game of pure strategy: both bid for prizes with the same cards, at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.game.board import Board
from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import i8, u8, u64
from zermelo.games.parameters import whole_number

BITS = 4
"""Of one card in a record of cards; a card is from 1 to 8, and 0 stands for none."""

ORDERS = ("random", "descending", "ascending")


class GoofspielState(NamedTuple):
    """The record of prizes, and the bids of both players, four bits for each round, the first lowest.

    `turn` is 0 if the first player bids, 1 if the second does, and 2 if a prize is turned over. `score` is the first
    player's points less the second's.
    """

    prizes: u64
    first: u64
    second: u64
    rounds: u8
    turn: u8
    score: i8


class Goofspiel(Game):
    """A prize is turned over, both bid a card of their hand in secret, and the higher one takes it; on a tie nobody.

    The prizes and both hands are the cards from 1 to `cards`. The player with more points at the end wins. Bids at the
    same time are bids one after the other that the second player does not see.
    """

    chance = True
    hidden = True

    def __init__(self, cards: int = 4, order: str = "descending", points: bool = False):
        """`order` of the prizes: random, descending or ascending; `points`: the margin counts, not only the win."""
        self.cards = whole_number("cards", cards, 2, 8)
        if order not in ORDERS:
            raise GameError(f"order must be one of {', '.join(ORDERS)}, not {order!r}")
        if not isinstance(points, bool):
            raise GameError(f"points must be True or False, not {points!r}")
        self.order, self.points = order, points
        most = float(cards * (cards + 1) // 2) if points else 1.0
        self.utility_range = (-most, most)
        self.max_actions = cards
        self.kind = ORDERS.index(order)

    def initial(self) -> GoofspielState:
        return GoofspielState(0, 0, 0, 0, 2, 0)

    def to_move(self, s: GoofspielState) -> int:
        return CHANCE if s.turn == 2 else s.turn

    def is_free(self, record: int, card: int) -> bool:
        """Is a card not in a record yet?"""
        left = record
        while left != 0:
            if left & 15 == card:
                return False
            left >>= BITS
        return True

    def actions(self, s: GoofspielState) -> Iterator[int]:
        if s.turn != 2 and s.rounds < self.cards:
            hand = s.first if s.turn == 0 else s.second
            for card in range(1, self.cards + 1):
                if self.is_free(hand, card):
                    yield card

    def outcomes(self, s: GoofspielState) -> Iterator[tuple[int, float]]:
        """The next prize."""
        if self.kind == 0:
            for card in range(1, self.cards + 1):
                if self.is_free(s.prizes, card):
                    yield card, 1.0 / (self.cards - s.rounds)
        else:
            yield (self.cards - s.rounds if self.kind == 1 else 1 + s.rounds), 1.0

    def result(self, s: GoofspielState, a: int) -> GoofspielState:
        here = u64(BITS * s.rounds)
        card = u64(a) << here
        if s.turn == 2:
            return GoofspielState(s.prizes | card, s.first, s.second, s.rounds, 0, s.score)
        if s.turn == 0:
            return GoofspielState(s.prizes, s.first | card, s.second, s.rounds, 1, s.score)
        prize, bid = (s.prizes >> here) & 15, (s.first >> here) & 15
        won = 0
        if bid > a:
            won = prize
        elif bid < a:
            won = -prize
        return GoofspielState(s.prizes, s.first, s.second | card, s.rounds + 1, 2, s.score + won)

    def is_terminal(self, s: GoofspielState) -> bool:
        return s.rounds == self.cards

    def utility(self, s: GoofspielState, p: int) -> float:
        score = s.score if p == 0 else -s.score
        if self.points:
            return float(score)
        return 1.0 if score > 0 else -1.0 if score < 0 else 0.0

    def information(self, s: GoofspielState, p: int) -> tuple[int, int, int, int]:
        """The prizes, and all bids of finished rounds; of this round only the player's own."""
        over = (u64(1) << u64(BITS * s.rounds)) - 1
        own, other = (s.first, s.second) if p == 0 else (s.second, s.first)
        return s.prizes, own, other & over, s.turn

    def resample(self, s: GoofspielState, p: int, random: Any) -> GoofspielState:
        """If the other player has bid in this round, another card of its hand."""
        if p == 0 or s.turn != 1:
            return s
        here = u64(BITS * s.rounds)
        before = s.first & ((u64(1) << here) - 1)
        card = 1 + random.below(self.cards)
        while not self.is_free(before, card):
            card = 1 + random.below(self.cards)
        return GoofspielState(s.prizes, before | u64(card) << here, s.second, s.rounds, s.turn, s.score)

    # For people.

    def information_name(self, s: GoofspielState, p: int) -> str:
        seen = self.seen_by(s, p)
        return self._rounds_text(seen)

    def seen_by(self, s: GoofspielState, p: int) -> GoofspielState:
        if p == 0 or s.turn != 1:
            return s
        return s._replace(first=s.first & ((1 << BITS * s.rounds) - 1))

    def picture(self, s: GoofspielState) -> Board:
        names = [self.player_name(p) for p in range(2)]
        score = f"{names[0]} leads by {s.score}" if s.score > 0 else f"{names[1]} leads by {-s.score}"
        rounds = [
            f"prize {prize}: {first or '?'} against {second or '?'}" if first or second else f"prize {prize}"
            for prize, first, second in self._rounds(s)
        ]
        return Board(lines=(*(rounds or ["no prize yet"]), score if s.score else "the score is even"))

    def _rounds_text(self, s: GoofspielState) -> str:
        rounds = (
            f"{prize}: {first or '?'}-{second or '?'}" if first or second else f"{prize}:"
            for prize, first, second in self._rounds(s)
        )
        return "  ".join(rounds) or "no prize yet"

    def _rounds(self, s: GoofspielState) -> list[tuple[int, int, int]]:
        """The prize and both bids of each round so far; 0 is a bid that is not known."""
        records = (s.prizes, s.first, s.second)
        rounds = [tuple(int(record >> BITS * number & 15) for record in records) for number in range(s.rounds + 1)]
        return [(prize, first, second) for prize, first, second in rounds if prize]
