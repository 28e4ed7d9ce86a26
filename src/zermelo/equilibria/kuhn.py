"""Kuhn poker as a lesson: the family of its equilibria, and what departing from it costs.

All numbers are computed from the rules by `Judge`. Only the family itself is quoted (Kuhn 1950), and the tests check
that each of its members is an equilibrium.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.equilibria.judging import NEARLY, Judge, Reply
from zermelo.games.kuhn_poker import NOTHING, KuhnPoker, KuhnPokerState

JACK, QUEEN, KING = 1, 2, 3
PASSED, BET, PASSED_BET = 0b10, 0b11, 0b101
"""The moves so far: a check; a bet; a check and a bet."""
HIGHEST = Fraction(1, 3)
"""The largest α: how often the first player may bluff with the Jack in an equilibrium."""

Bets = list[float]
"""For each situation of the game how often to bet or call."""


def family(player: int, card: int, moves: int, alpha: float) -> float:
    """How often to bet or call in the equilibrium that bluffs with probability α (Kuhn 1950)."""
    if player == 0:
        bets = {(JACK, NOTHING): alpha, (KING, NOTHING): 3 * alpha, (QUEEN, PASSED_BET): alpha + 1 / 3}
        return bets.get((card, moves), 1.0 if (card, moves) == (KING, PASSED_BET) else 0.0)
    return {(JACK, PASSED): 1 / 3, (QUEEN, BET): 1 / 3}.get((card, moves), 1.0 if card == KING else 0.0)


class Kuhn:
    """The game with its situations in the order of a lesson: first player, then second; by moves, then cards."""

    def __init__(self) -> None:
        self.game = KuhnPoker()
        self.judge = Judge(self.game)
        order = [
            (player, card, moves)
            for player, asked in ((0, (NOTHING, PASSED_BET)), (1, (PASSED, BET)))
            for moves in asked
            for card in (JACK, QUEEN, KING)
        ]
        self.order = order
        self.numbers = [self.judge.number_of(self.example(*each)) for each in order]
        self.value = self.judge.values(self.strategy(self.equilibrium(0.0)))[0]

    @staticmethod
    def example(player: int, card: int, moves: int) -> KuhnPokerState:
        """A state of a situation."""
        other = 1 if card != 1 else 2
        return KuhnPokerState(card if player == 0 else other, other if player == 0 else card, moves, 0)

    def place(self, player: int, card: int, moves: int) -> int:
        """The place of a situation in the order of the lesson."""
        return self.order.index((player, card, moves))

    def equilibrium(self, alpha: float) -> Bets:
        """Kuhn's equilibrium with this α, from 0 to 1/3."""
        if not 0 <= alpha <= HIGHEST + NEARLY:
            raise ValueError(f"α must be a number from 0 to 1/3, not {alpha:g}")
        return [family(*each, alpha) for each in self.order]

    def alpha_of(self, bets: Sequence[float]) -> float | None:
        """The α of the first player's part; None if it is not one of Kuhn's equilibria."""
        alpha = bets[0]
        if alpha > HIGHEST + NEARLY:
            return None
        near = all(abs(a - b) < 1e-6 for a, b in zip(bets[:6], self.equilibrium(min(alpha, 1 / 3))[:6], strict=True))
        return alpha if near else None

    def strategy(self, bets: Sequence[float]) -> list[list[float]]:
        """The same as the judge wants it: the probabilities of both moves in each of its situations."""
        if len(bets) != len(self.order) or not all(0 <= bet <= 1 for bet in bets):
            raise ValueError(f"a strategy for Kuhn poker is {len(self.order)} probabilities, from 0 to 1")
        found: list[list[float]] = [[] for _ in self.order]
        for number, bet in zip(self.numbers, bets, strict=True):
            found[number] = [1 - bet, bet]
        return found

    def of_both(self, first: Sequence[float], second: Sequence[float]) -> Bets:
        """The first player's part of one strategy and the second's of another."""
        return [*first[:6], *second[6:]]

    def value_to(self, player: int) -> float:
        """The value of the game."""
        return self.value if player == 0 else -self.value

    def verdict(self, bets: Sequence[float]) -> dict[str, Any]:
        """What a strategy is worth in each seat against the equilibrium and a best response, and what it costs."""
        strategy = self.strategy(bets)
        seats: list[dict[str, Any]] = []
        for player in (0, 1):
            reply = self.judge.reply(1 - player, strategy)
            # Against α = 1/6 every other part of the family is as good: only one member has to be tried.
            parts = (bets, self.equilibrium(1 / 6)) if player == 0 else (self.equilibrium(1 / 6), bets)
            against = self.judge.values(self.strategy(self.of_both(*parts)))[player]
            loss = max(0.0, self.value_to(player) + reply.value)
            seats.append({"equilibrium": against, "worst": -reply.value, "loss": loss, "reply": self._punishing(reply)})
        nash_conv = sum(float(seat["loss"]) for seat in seats)
        values = self.judge.values(strategy)
        return {"value": values[0], "seats": seats, "exploitability": nash_conv / 2, "nash_conv": nash_conv}

    def _punishing(self, reply: Reply) -> list[dict[str, Any]]:
        """The moves of a best response, and what each gains over the other move, once play is there."""
        rows = []
        fair = self.equilibrium(1 / 6)
        for place, number in enumerate(self.numbers):
            if number not in reply.situations:
                continue
            passing, betting = self._values_in(place, reply)
            gain = abs(betting - passing)
            best = "either" if gain < NEARLY else self.judge.situations[number].moves[int(betting > passing)]
            usual = fair[place]
            departs = gain >= NEARLY and abs((1.0 if betting > passing else 0.0) - usual) > NEARLY
            arrival = reply.arrival[reply.situations.index(number)]
            rows.append({"place": place, "best": best, "gain": gain, "departs": departs, "arrival": arrival})
        return rows

    def move_values(self, bets: Sequence[float]) -> list[tuple[float, float]]:
        """For each situation the values of passing and of betting, if the opponent follows these probabilities.

        Both are 0 in a situation that the opponent never leads to.
        """
        replies = [self.judge.reply(player, self.strategy(bets)) for player in (0, 1)]
        return [self._values_in(place, replies[player]) for place, (player, _, _) in enumerate(self.order)]

    def _values_in(self, place: int, reply: Reply) -> tuple[float, float]:
        passing, betting = reply.values[reply.situations.index(self.numbers[place])]
        return passing, betting

    def curve(
        self, bets: Sequence[float], changed: int, seen: int, points: int = 11
    ) -> list[tuple[float, float, float]]:
        """The values of passing and betting in one situation, as another situation's probability goes from 0 to 1."""
        found = []
        for i in range(points):
            tried = list(bets)
            tried[changed] = i / (points - 1)
            reply = self.judge.reply(self.order[seen][0], self.strategy(tried))
            found.append((tried[changed], *self._values_in(seen, reply)))
        return found
