"""Leduc hold'em: six cards, two rounds of betting, one card for all (Southey et al. 2005)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.game.board import FACE_DOWN, Board
from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u8, u32

FOLD, CALL, RAISE = 1, 2, 3
"""Moves; CALL is also a check. As digits of a round they are not 0, so the number of digits is the number of moves."""

RANKS = "JQK"
SUITS = "♠♥"
CARDS = 6
RAISES = 2
"""The most raises in a round."""
BITS = 2
"""Of one move in the record of a round."""


class LeducPokerState(NamedTuple):
    """Cards from 1 to 6, two of each rank, or 0 if not dealt; the moves of both rounds, two bits each."""

    first: u8
    second: u8
    public: u8
    opening: u32
    closing: u32


def length(moves: int) -> int:
    """The number of moves in a round."""
    count = 0
    while moves != 0:
        moves >>= BITS
        count += 1
    return count


def raises(moves: int) -> int:
    """The number of raises in a round."""
    count = 0
    while moves != 0:
        count += 1 if moves & 3 == RAISE else 0
        moves >>= BITS
    return count


def is_over(moves: int) -> bool:
    """Is a round of betting over: by a fold, or a call that is not the first move?"""
    return moves & 3 == FOLD or (moves & 3 == CALL and moves > CALL)


def rank(card: int) -> int:
    """The rank of a card: 0 is the Jack."""
    return (card - 1) >> 1


class LeducPoker(Game):
    """Both put one chip in and get one of six cards; after a round of betting a card for both is turned over.

    A raise is 2 chips in the first round and 4 in the second, with at most two raises in each. A pair with the public
    card wins, otherwise the higher card.
    """

    chance = True
    hidden = True
    decisive = False  # chips, not a win or a loss
    utility_range = (-13.0, 13.0)
    max_actions = CARDS * CARDS

    def __init__(self, suits: bool = False):
        """`suits`: players tell apart cards of the same rank, though they are worth the same."""
        if not isinstance(suits, bool):
            raise GameError(f"suits must be True or False, not {suits!r}")
        self.suits = suits

    def initial(self) -> LeducPokerState:
        return LeducPokerState(0, 0, 0, 0, 0)

    def to_move(self, s: LeducPokerState) -> int:
        if s.first == 0 or (s.public == 0 and is_over(s.opening)):
            return CHANCE
        return length(s.closing if s.public != 0 else s.opening) % 2

    def actions(self, s: LeducPokerState) -> Iterator[int]:
        moves = s.closing if s.public != 0 else s.opening
        if not self.is_terminal(s):
            if moves & 3 == RAISE:
                yield FOLD
            yield CALL
            if raises(moves) < RAISES:
                yield RAISE

    def outcomes(self, s: LeducPokerState) -> Iterator[tuple[int, float]]:
        """The two hands as 8 · first + second; later the public card."""
        for first in range(1, CARDS + 1):
            if s.first != 0:
                if first != s.first and first != s.second:
                    yield first, 1.0 / (CARDS - 2)
            else:
                for second in range(1, CARDS + 1):
                    if first != second:
                        yield 8 * first + second, 1.0 / (CARDS * (CARDS - 1))

    def result(self, s: LeducPokerState, a: int) -> LeducPokerState:
        if s.first == 0:
            return LeducPokerState(a >> 3, a & 7, 0, 0, 0)
        if s.public == 0 and is_over(s.opening):
            return LeducPokerState(s.first, s.second, a, s.opening, 0)
        if s.public == 0:
            return LeducPokerState(s.first, s.second, 0, s.opening << BITS | a, 0)
        return LeducPokerState(s.first, s.second, s.public, s.opening, s.closing << BITS | a)

    def is_terminal(self, s: LeducPokerState) -> bool:
        return s.opening & 3 == FOLD or is_over(s.closing)

    def utility(self, s: LeducPokerState, p: int) -> float:
        """What the loser has put in."""
        if s.opening & 3 == FOLD or s.closing & 3 == FOLD:
            moves = s.closing if s.public != 0 else s.opening
            won = self.paid(s, folded=True)
            loser = (length(moves) - 1) % 2
            return -won if p == loser else won
        first, second, public = rank(s.first), rank(s.second), rank(s.public)
        if first == second:
            return 0.0
        better = first == public or (second != public and first > second)
        won = self.paid(s, folded=False)
        return won if better == (p == 0) else -won

    def paid(self, s: LeducPokerState, folded: bool) -> float:
        """What each player has put in; a player who folds has not matched the last raise."""
        first, second = raises(s.opening), raises(s.closing)
        if folded and s.public == 0:
            first -= 1
        elif folded:
            second -= 1
        return 1.0 + 2.0 * first + 4.0 * second

    def information(self, s: LeducPokerState, p: int) -> tuple[int, int, int, int]:
        """The player's own card, the public one, and the moves."""
        own = s.first if p == 0 else s.second
        if self.suits:
            return own, s.public, s.opening, s.closing
        public = 0 if s.public == 0 else 1 + rank(s.public)
        return (0 if own == 0 else 1 + rank(own)), public, s.opening, s.closing

    def resample(self, s: LeducPokerState, p: int, random: Any) -> LeducPokerState:
        """The opponent's card drawn from the others, as if its moves revealed nothing."""
        if s.first == 0:
            return s
        own = s.first if p == 0 else s.second
        other = own
        while other == own or other == s.public:
            other = 1 + random.below(CARDS)
        if p == 0:
            return LeducPokerState(own, other, s.public, s.opening, s.closing)
        return LeducPokerState(other, own, s.public, s.opening, s.closing)

    # For people.

    def action_name(self, s: LeducPokerState, a: int) -> str:
        if s.first == 0:
            return f"{_card(a >> 3)}{_card(a & 7)}"
        if s.public == 0 and is_over(s.opening):
            return _card(a)
        if a == CALL:
            return "call" if (s.closing if s.public != 0 else s.opening) & 3 == RAISE else "check"
        return "fold" if a == FOLD else "raise"

    def action_named(self, s: LeducPokerState, name: str) -> int:
        """A move such as raise; cards also in plain letters, such as JsQh or "Js Qh"."""
        legal: list[int] = self.moves_at(s)
        wanted = "".join(name.split()).casefold().replace("♠", "s").replace("♥", "h")
        for a in legal:
            if self.action_name(s, a).casefold().replace("♠", "s").replace("♥", "h") == wanted:
                return a
        names = [self.action_name(s, a) for a in legal]
        shown = f"{', '.join(names[:6])}{', …' if len(names) > 6 else ''}" or "nothing"
        raise IllegalAction(f"{name.strip()!r} is not legal in {self.title} here; legal here: {shown}")

    def information_name(self, s: LeducPokerState, p: int) -> str:
        own = s.first if p == 0 else s.second
        shown = _card(own) if self.suits else RANKS[rank(own)]
        public = (_card(s.public) if self.suits else RANKS[rank(s.public)]) if s.public else ""
        return f"{shown}{f' with {public}' if public else ''}: {self._moves_text(s)}"

    def seen_by(self, s: LeducPokerState, p: int) -> LeducPokerState:
        return s._replace(**{"second" if p == 0 else "first": 0})

    def picture(self, s: LeducPokerState) -> Board:
        hands = tuple((self.player_name(p), (_card(card),)) for p, card in enumerate((s.first, s.second)))
        table = (("table", (_card(s.public),)),) if s.public else ()
        first, second = self.stakes(s)
        return Board(hands=hands + table, chips=(("pot", first + second),), lines=(self._moves_text(s),))

    def stakes(self, s: LeducPokerState) -> tuple[float, float]:
        """What each player has put in."""
        stakes = [1.0, 1.0]
        for moves, size in ((s.opening, 2.0), (s.closing, 4.0)):
            for place in range(length(moves)):
                mover, a = place % 2, moves >> BITS * (length(moves) - 1 - place) & 3
                if a != FOLD:
                    stakes[mover] = max(stakes) + (size if a == RAISE else 0.0)
        return stakes[0], stakes[1]

    def _moves_text(self, s: LeducPokerState) -> str:
        rounds = []
        for public, moves in ((0, s.opening), (1, s.closing)):
            names, at = [], LeducPokerState(1, 2, public, CALL << BITS | CALL if public else 0, 0)
            for place in range(length(moves) - 1, -1, -1):
                a = moves >> BITS * place & 3
                names.append(self.action_name(at, a))
                at = self.result(at, a)
            if names:
                rounds.append(", ".join(names))
        return "; ".join(rounds) or "no moves yet"


def _card(card: int) -> str:
    return f"{RANKS[rank(card)]}{SUITS[(card - 1) & 1]}" if card else FACE_DOWN
