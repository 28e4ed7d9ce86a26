"""Kuhn poker: one card each, one bet, and already it pays to bluff (Kuhn 1950).

For three players as in Abou Risk and Szafron (2010).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.game.board import FACE_DOWN, Board
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u8
from zermelo.games.parameters import whole_number

PASS, BET = 0, 1
RANKS = "?JQKA"

NOTHING = 0b1
"""The moves so far are binary digits after a leading 1."""


class KuhnPokerState(NamedTuple):
    """The players' cards, from 1 (the Jack), or 0 before the deal, and the moves. With two players, `third` is 0."""

    first: u8
    second: u8
    moves: u8
    third: u8 = 0


def length(moves: int) -> int:
    """The number of moves."""
    count = 0
    while moves > 1:
        moves >>= 1
        count += 1
    return count


def bet_at(moves: int) -> int:
    """How many players checked before the first bet; -1 if nobody has bet."""
    place = -1
    for i in range(length(moves)):
        if moves >> (length(moves) - 1 - i) & 1 == BET and place < 0:
            place = i
    return place


class KuhnPoker(Game):
    """Each player puts one chip in and gets one card of a deck with one card more than players.

    In turn they check, until one bets a chip. Then each of the others calls or folds. The highest card of those who
    have not folded wins. A move is PASS (check or fold) or BET (bet or call). A deal is 4 · the first card + the
    second; for three players 64 · the first + 8 · the second + the third.
    """

    chance = True
    deals_once = True
    hidden = True
    decisive = False  # chips, not a win or a loss

    def __init__(self, players: int = 2):
        self.players = whole_number("players", players, 2, 3)
        self.cards = self.players + 1
        self.utility_range = (-2.0, 2.0 * (self.players - 1))
        self.max_actions = 6 if self.players == 2 else 24  # the deals counted

    def initial(self) -> KuhnPokerState:
        return KuhnPokerState(0, 0, NOTHING, 0)

    def to_move(self, s: KuhnPokerState) -> int:
        return CHANCE if s.first == 0 else length(s.moves) % self.players

    def actions(self, s: KuhnPokerState) -> Iterator[int]:
        if not self.is_terminal(s):
            yield PASS
            yield BET

    def outcomes(self, s: KuhnPokerState) -> Iterator[tuple[int, float]]:
        for first in range(1, self.cards + 1):
            for second in range(1, self.cards + 1):
                if first != second and self.players == 2:
                    yield 4 * first + second, 1.0 / 6.0
                elif first != second:
                    for third in range(1, self.cards + 1):
                        if third != first and third != second:
                            yield 64 * first + 8 * second + third, 1.0 / 24.0

    def result(self, s: KuhnPokerState, a: int) -> KuhnPokerState:
        if s.first != 0:
            return KuhnPokerState(s.first, s.second, 2 * s.moves + a, s.third)
        if self.players == 2:
            return KuhnPokerState(a >> 2, a & 3, NOTHING, 0)
        return KuhnPokerState(a >> 6, a >> 3 & 7, NOTHING, a & 7)

    def is_terminal(self, s: KuhnPokerState) -> bool:
        """Have all checked, or all others answered the bet?"""
        return length(s.moves) == self.players + max(bet_at(s.moves), 0)

    def card(self, s: KuhnPokerState, p: int) -> int:
        """A player's card."""
        if p == 0:
            return s.first
        return s.second if p == 1 else s.third

    def has_bet(self, s: KuhnPokerState, p: int) -> bool:
        """Has a player bet or called?"""
        count, bets = length(s.moves), 0
        for place in range(p, count, self.players):
            bets += s.moves >> (count - 1 - place) & 1
        return bets > 0

    def utility(self, s: KuhnPokerState, p: int) -> float:
        """The pot to the highest card of those who stayed in; less what the player has put in."""
        contested = bet_at(s.moves) >= 0
        pot, best, winner = 0.0, 0, 0
        for q in range(self.players):
            stays = self.has_bet(s, q)
            pot += 2.0 if stays else 1.0
            if (stays or not contested) and self.card(s, q) > best:
                best, winner = self.card(s, q), q
        paid = 2.0 if self.has_bet(s, p) else 1.0
        return pot - paid if p == winner else -paid

    def information(self, s: KuhnPokerState, p: int) -> tuple[int, int]:
        """The player's own card, and the moves."""
        return self.card(s, p), s.moves

    def resample(self, s: KuhnPokerState, p: int, random: Any) -> KuhnPokerState:
        """The other cards dealt anew, as if the moves revealed nothing."""
        if s.first == 0:
            return s
        own = self.card(s, p)
        other = 1 + (own + random.below(self.cards - 1)) % self.cards
        if self.players == 2:
            return KuhnPokerState(own if p == 0 else other, other if p == 0 else own, s.moves, 0)
        another = own
        while another == own or another == other:  # noqa: SIM109 (compiled code has no `in`)
            another = 1 + random.below(self.cards)
        if p == 0:
            return KuhnPokerState(own, other, s.moves, another)
        if p == 1:
            return KuhnPokerState(other, own, s.moves, another)
        return KuhnPokerState(other, another, s.moves, own)

    # For people.

    @property
    def title(self) -> str:
        return self._titled("Kuhn poker")

    def action_name(self, s: KuhnPokerState, a: int) -> str:
        if s.first == 0:
            dealt = self.result(s, a)
            return "".join(RANKS[self.card(dealt, p)] for p in range(self.players))
        if bet_at(s.moves) >= 0:
            return "call" if a == BET else "fold"
        return "bet" if a == BET else "check"

    def information_name(self, s: KuhnPokerState, p: int) -> str:
        return f"{RANKS[self.card(s, p)]}: {self._moves_text(s)}"

    def seen_by(self, s: KuhnPokerState, p: int) -> KuhnPokerState:
        first, second, third = (self.card(s, q) if q == p else 0 for q in range(3))
        return KuhnPokerState(first, second, s.moves, third)

    def picture(self, s: KuhnPokerState) -> Board:
        hands = tuple((self.player_name(p), (_card(self.card(s, p)),)) for p in range(self.players))
        pot = sum(2 if self.has_bet(s, p) else 1 for p in range(self.players))
        return Board(hands=hands, chips=(("pot", pot),), lines=(self._moves_text(s),))

    def _moves_text(self, s: KuhnPokerState) -> str:
        names, at = [], KuhnPokerState(1, 2, NOTHING, 3)  # for any cards
        for digit in bin(s.moves)[3:]:
            names.append(self.action_name(at, int(digit)))
            at = self.result(at, int(digit))
        return ", ".join(names) or "no moves yet"


def _card(number: int) -> str:
    """A card of spades; the suit does not matter."""
    return f"{RANKS[number]}♠" if number else FACE_DOWN
