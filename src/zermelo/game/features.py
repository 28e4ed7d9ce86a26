"""Evaluations that can be learned: a weighted sum of features, or a network over them."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from zermelo.game.rules import Rules, State


class Features(Rules):
    """What a game counts in a state, the weight of each count, and what a network needs to know of the game."""

    weights: Any = ()
    """The weight of each feature: an array, so that other weights need no compiling."""

    rounding: float = 0.0
    """By how much `weighted_features` may differ from the sum, if it adds up rounded weights."""

    network: Any = None
    """A network over the features. If there is one, it is the evaluation; see `zermelo.networks.with_network`."""
    asks_network: bool = False
    """Does the class's own `evaluate` ask the network? Otherwise the network replaces it."""
    predicts: Any = None
    """The part that says what a network's outputs mean; None: one output, the expected utility."""
    has_list_changes: bool = False
    """Set for classes that define `list_changes`."""

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        if "list_changes" in vars(cls):
            cls.has_list_changes = True
        own = getattr(cls, "evaluate", None)
        if own is not None and not cls.asks_network and not hasattr(own, "without_network"):
            cls.evaluate = _by_network_if_any(own)  # type: ignore[attr-defined]

    def feature_names(self) -> tuple[str, ...]:
        """The features' names, in the order of their weights."""
        return ()

    def feature_groups(self) -> dict[str, range]:
        """Groups of features: their names and numbers, for `zermelo explain`. By default there are none."""
        return {}

    def features(self, s: State, p: int) -> Iterable[tuple[int, float]]:
        """Yields (number of a feature, its amount) as player p sees it; features that are 0 may be left out."""
        for number in range(0):
            yield number, 0.0

    def list_features(self, s: State, p: int, numbers: Any, amounts: Any) -> int:
        """Write the features' numbers and amounts into two arrays, as far as there is room, and return how many.

        By default those that `features` yields. Networks call this. A game with a large state is faster with a method
        of its own, because a generator has to restore its state after every `yield`.
        """
        count = 0
        for number, amount in self.features(s, p):
            if count < len(numbers):
                numbers[count] = number
                amounts[count] = amount
                count += 1
        return count

    def weighted_features(self, s: State, p: int) -> float:
        """The sum of the features' amounts, each times its weight."""
        total = 0.0
        for number, amount in self.features(s, p):
            total += self.weights[number] * amount
        return total

    def worth(self, s: State, p: int, total: float) -> float:
        """The value to player p of an advantage, in utility: a weighted sum, or what a network says. 0 is even.

        A game that compresses large sums, or knows the value of some endings, says so here; its `evaluate` calls it.
        """
        low, high = self.utility_range
        most = 0.495 * (high - low)
        return float(0.5 * (low + high) + min(max(total, -most), most))

    # For networks.

    def input_names(self) -> tuple[str, ...]:
        """The names of a network's inputs; by default those of the features."""
        return self.feature_names()

    def input_name(self, s: State, p: int, number: int) -> str:
        """What to call an input of a state that player p sees, for people; by default its name."""
        return self.input_names()[number]

    def list_inputs(self, s: State, p: int, numbers: Any, amounts: Any) -> int:
        """Write a network's inputs as player p sees them, as `list_features` does; by default the features."""
        return self.list_features(s, p, numbers, amounts)

    def viewer(self, s: State) -> int:
        """The player whose view of the state a network evaluates: the player to move, or by default player 0 if
        chance moves. A game in which a roll belongs to a player returns that player."""
        return max(self.to_move(s), 0)

    def phase(self, s: State) -> int:
        """The phase of the game, from 0: a network has weights of its own for each. By default there is one phase."""
        return 0

    def phase_names(self) -> tuple[str, ...]:
        """The names of the phases."""
        return ("all",)

    def known(self, s: State, out: Any) -> int:
        """Write a network's outputs that are known, as `viewer` sees them, and return more than 0; else return 0.

        For positions in a table, such as an endgame's: the network is not asked there.
        """
        return 0

    def list_changes(self, s: State, p: int, last: Any, numbers: Any, amounts: Any) -> int:
        """Write the inputs that may differ from the last state's, with their amounts in `s`, and return how many.

        `last` is an array of 16 words (uint64): what this method has written there
        about the last state that player p saw in this phase. They are 0 at first, and all inputs are 0 then. Amounts
        that have become 0 are written too. If a number occurs twice, the last amount counts. If a game defines this,
        networks call nothing else.
        """
        return self.list_inputs(s, p, numbers, amounts)


def has_network(game: Any) -> bool:
    """Has the game a network over its features? A game may have other objects of that name."""
    return getattr(game.network, "evaluates_games", False)


def is_evaluated_by_network(game: Any) -> bool:
    """Does a network replace the game's own `evaluate`?"""
    return has_network(game) and not game.asks_network


def evaluate_by_network(self: Any, s: State, p: int) -> float:
    """The network's estimate of the utility to player p. It is `evaluate` if the game has a network."""
    return float(self.network.value(self, s, p))


def _by_network_if_any(own: Any) -> Any:
    """A game's own `evaluate`, unless the game has a network. Compiled code chooses beforehand, see `Blueprint`."""

    @functools.wraps(own)
    def evaluate(self: Any, s: State, p: int) -> float:
        return evaluate_by_network(self, s, p) if is_evaluated_by_network(self) else own(self, s, p)

    evaluate.without_network = own  # type: ignore[attr-defined]
    return evaluate
