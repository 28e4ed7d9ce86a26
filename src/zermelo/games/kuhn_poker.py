"""Kuhn poker: three cards, one bet, and already it pays to bluff (Kuhn 1950)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.game.board import FACE_DOWN, Board
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u8

PASS, BET = 0, 1
RANKS = "?JQK"

# The moves so far, as binary digits after a leading 1.
NOTHING = 0b1
PASSED, BET_FIRST, PASSED_BET = 0b10, 0b11, 0b101
BOTH_PASSED, BET_PASSED = 0b100, 0b110
PASSED_BET_PASSED = 0b1010


class KuhnPokerState(NamedTuple):
    """The first and the second player's card, from 1 (the Jack) to 3 (the King), or 0 before the deal; the moves."""

    first: u8
    second: u8
    moves: u8


class KuhnPoker(Game):
    """Both put one chip in, and each gets one of three cards. A player may bet one more, and the other call or fold.

    A move is PASS (check or fold) or BET (bet or call); a deal is 4 · the first card + the second.
    """

    chance = True
    deals_once = True
    hidden = True
    decisive = False  # chips, not a win or a loss
    utility_range = (-2.0, 2.0)
    max_actions = 6  # the deals counted

    def initial(self) -> KuhnPokerState:
        return KuhnPokerState(0, 0, NOTHING)

    def to_move(self, s: KuhnPokerState) -> int:
        if s.first == 0:
            return CHANCE
        return 1 if s.moves == PASSED or s.moves == BET_FIRST else 0

    def actions(self, s: KuhnPokerState) -> Iterator[int]:
        if not self.is_terminal(s):
            yield PASS
            yield BET

    def outcomes(self, s: KuhnPokerState) -> Iterator[tuple[int, float]]:
        for first in range(1, 4):
            for second in range(1, 4):
                if first != second:
                    yield 4 * first + second, 1.0 / 6.0

    def result(self, s: KuhnPokerState, a: int) -> KuhnPokerState:
        if s.first == 0:
            return KuhnPokerState(a >> 2, a & 3, NOTHING)
        return KuhnPokerState(s.first, s.second, 2 * s.moves + a)

    def is_terminal(self, s: KuhnPokerState) -> bool:
        return s.moves >= BOTH_PASSED and s.moves != PASSED_BET

    def utility(self, s: KuhnPokerState, p: int) -> float:
        if s.moves == BET_PASSED:
            won = 1.0
        elif s.moves == PASSED_BET_PASSED:
            won = -1.0
        else:
            stake = 1.0 if s.moves == BOTH_PASSED else 2.0
            won = stake if s.first > s.second else -stake
        return won if p == 0 else -won

    def information(self, s: KuhnPokerState, p: int) -> tuple[int, int]:
        """The player's own card, and the moves."""
        return (s.first if p == 0 else s.second), s.moves

    def resample(self, s: KuhnPokerState, p: int, random: Any) -> KuhnPokerState:
        """The opponent's card drawn from the other two, as if its moves revealed nothing."""
        if s.first == 0:
            return s
        own = s.first if p == 0 else s.second
        other = 1 + (own + random.below(2)) % 3
        if p == 0:
            return KuhnPokerState(own, other, s.moves)
        return KuhnPokerState(other, own, s.moves)

    # For people.

    def action_name(self, s: KuhnPokerState, a: int) -> str:
        if s.first == 0:
            return f"{RANKS[a >> 2]}{RANKS[a & 3]}"
        if s.moves in (BET_FIRST, PASSED_BET):
            return "call" if a == BET else "fold"
        return "bet" if a == BET else "check"

    def information_name(self, s: KuhnPokerState, p: int) -> str:
        return f"{RANKS[s.first if p == 0 else s.second]}: {self._moves_text(s)}"

    def seen_by(self, s: KuhnPokerState, p: int) -> KuhnPokerState:
        return KuhnPokerState(s.first if p == 0 else 0, s.second if p == 1 else 0, s.moves)

    def picture(self, s: KuhnPokerState) -> Board:
        hands = tuple((self.player_name(p), (_card(number),)) for p, number in enumerate((s.first, s.second)))
        return Board(hands=hands, lines=(self._moves_text(s),))

    def _moves_text(self, s: KuhnPokerState) -> str:
        names, at = [], KuhnPokerState(1, 2, NOTHING)  # for any cards
        for digit in bin(s.moves)[3:]:
            names.append(self.action_name(at, int(digit)))
            at = self.result(at, int(digit))
        return ", ".join(names) or "no moves yet"


def _card(number: int) -> str:
    """A card of spades; the suit does not matter."""
    return f"{RANKS[number]}♠" if number else FACE_DOWN
