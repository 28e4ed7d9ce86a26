"""The betting of a subgame as a tree: who may check, bet, call, raise or fold, and with how many chips.

The tree knows no cards. On the turn, a call or a second check leads to a *deal*, and the betting on the river begins.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from zermelo.game.errors import GameError

FOLD, SHOWDOWN, DEAL = 2, 3, 4
"""What a node is, if no player is to act there: players are 0 and 1."""
ALL_IN = 0.1
"""A bet that would leave less than this share of the pot behind is made all in."""
MOST_RAISES = 3
TURN, RIVER = 4, 5
"""Streets, by the number of cards on the board."""


@dataclass
class Node:
    """A point of the betting.

    actor    the player to act, or FOLD, SHOWDOWN, DEAL
    name     the action that leads here: "check", "call", "fold", "bet 50", "raise to 150", "all-in 200"
    put      what each player has put into the pot since the subgame began
    winner   of a FOLD: who is left
    """

    actor: int
    name: str
    put: tuple[float, float]
    winner: int = -1
    children: list[Node] = field(default_factory=list)

    @property
    def matched(self) -> float:
        """The chips that the loser of this end has put in."""
        return min(self.put)


@dataclass(frozen=True)
class Betting:
    """The rules of the betting.

    pot, stack   chips in the middle, and chips that each player has left
    bets         sizes of bets and raises, as shares of the pot; a raise counts the pot after calling
    river_bets   the same for the river, if it differs
    raises       how often a bet may be raised on each street
    """

    pot: float
    stack: float
    bets: tuple[float, ...]
    river_bets: tuple[float, ...] = ()
    raises: int = MOST_RAISES

    def __post_init__(self) -> None:
        for name, chips in (("pot", self.pot), ("stack", self.stack)):
            if not 0 < chips < math.inf:
                raise GameError(f"the {name} must be more than 0 chips, not {chips:g}")
        if not self.bets:
            raise GameError("give at least one bet size, as a share of the pot: 0.5 is half of the pot")
        for size in (*self.bets, *self.river_bets):
            if not 0 < size < math.inf:
                raise GameError(f"a bet size must be more than 0, as a share of the pot; {size:g} is not")
        if self.raises < 0:
            raise GameError(f"the number of raises cannot be negative: {self.raises}")

    def tree(self, street: int) -> Node:
        """The tree from the first player's decision on this street; for the river it begins with a deal."""
        if street == RIVER:
            return Node(DEAL, "", (0.0, 0.0), children=[self._decision("", RIVER, 0, (0.0, 0.0), 0.0)])
        return self._decision("", TURN, 0, (0.0, 0.0), 0.0)

    def _decision(
        self, name: str, street: int, player: int, put: tuple[float, float], start: float,
        last: float = 0.0, bets: int = 0, checked: bool = False,
    ) -> Node:  # fmt: skip
        """A decision.

        start   what each player had put in before this street
        last    the size of the last bet or raise on this street; bets says how many there were
        """
        node = Node(player, name, put)
        behind = max(put) - put[player]
        if behind > 0:
            node.children.append(Node(FOLD, "fold", put, winner=1 - player))
            node.children.append(self._next_street("call", street, max(put)))
        elif checked:
            node.children.append(self._next_street("check", street, max(put)))
        else:
            node.children.append(self._decision("check", street, 1 - player, put, start, checked=True))
        if bets <= self.raises:
            for word, total in self._sizes(street, put, start, last, bets):
                after = (put[0], total) if player else (total, put[1])
                raised = self._decision(word, street, 1 - player, after, start, total - max(put), bets + 1)
                node.children.append(raised)
        return node

    def _sizes(
        self, street: int, put: tuple[float, float], start: float, last: float, bets: int
    ) -> Iterator[tuple[str, float]]:
        """The names of all bets, with the chips of this street, and what the player has put in after each."""
        before = max(put)
        if before >= self.stack:
            return
        called = self.pot + 2 * before
        sizes = self.river_bets if street == RIVER and self.river_bets else self.bets
        totals = set()
        for size in sizes:
            total = before + max(size * called, last)
            left = self.stack - total
            totals.add(self.stack if left < ALL_IN * (self.pot + 2 * total) else total)
        for total in sorted(totals):
            word = "all-in" if total == self.stack else "raise to" if bets else "bet"
            yield f"{word} {total - start:g}", total

    def _next_street(self, name: str, street: int, put: float) -> Node:
        """What follows when nobody wants to bet any more."""
        both = (put, put)
        if street == RIVER:
            return Node(SHOWDOWN, name, both)
        if put >= self.stack:
            return Node(DEAL, name, both, children=[Node(SHOWDOWN, "", both)])
        return Node(DEAL, name, both, children=[self._decision("", RIVER, 0, both, put)])
