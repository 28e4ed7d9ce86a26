"""What every game can do without defining it: its name and traits, lists of moves, checks of states."""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any

from zermelo.game.chance import CHANCE, Chance
from zermelo.game.errors import GameError, StateError
from zermelo.game.features import is_evaluated_by_network
from zermelo.game.methods import METHODS, RETURN_STATES
from zermelo.game.rules import Action, State
from zermelo.game.state import is_named_tuple, normalise, normaliser
from zermelo.game.tables import Tables
from zermelo.game.traits import Traits


class General(Chance, Tables):
    """What follows from the rules and the declared traits."""

    @property
    def name(self) -> str:
        """The class's name with the parameters that `__init__` was given and kept."""
        shown = (f"{k}={v}" for k, v in self._parameters().items())
        return f"{type(self).__name__}({', '.join(shown)})"

    @property
    def title(self) -> str:
        """The game as people call it: the words of its class's name, and the parameters that are not the usual ones."""
        return self._titled(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", type(self).__name__).capitalize())

    def _titled(self, words: str) -> str:
        """These words and the parameters that are not the usual ones."""
        usual = inspect.signature(type(self)).parameters
        changed = [f"{name} {value}" for name, value in self._parameters().items() if value != usual[name].default]
        return f"{words} ({', '.join(changed)})" if changed else words

    @property
    def traits(self) -> Traits:
        """The declared traits; raises GameError if they contradict each other."""
        low, high = self.utility_range
        if self.players < 1:
            raise GameError(f"{self.name} declares players = {self.players}; a game has at least one")
        if not low <= high:
            raise GameError(f"{self.name} declares utility_range = {self.utility_range}; the least comes first")
        return Traits(
            players=self.players,
            sides=len({self.side(p) for p in range(self.players)}),
            chance=bool(self.chance),
            hidden=bool(self.hidden),
            zero_sum=bool(self.zero_sum),
            utility_range=(float(low), float(high)),
            lists_outcomes=self.offers("outcomes"),
            uses_history=bool(self.uses_history),
        )

    def offers(self, method: str) -> bool:
        """Does this game define the method itself, rather than inherit the protocol's default?"""
        if method not in METHODS:
            raise ValueError(f"{method!r} is not a method of the protocol")
        defined: Any = getattr(type(self), method)
        module: str = getattr(defined, "fget", defined).__module__  # of a property, that of its function
        if method == "evaluate" and is_evaluated_by_network(self):
            return True
        return method in vars(self) or module != f"zermelo.game.{METHODS[method].group}"

    def side(self, p: int) -> int:
        """The side that player p is on; by default each player is alone."""
        return p

    def utility_bounds(self, p: int) -> tuple[float, float]:
        """The least and the greatest utility for player p; by default the range declared for all."""
        return self.utility_range

    def moves_at(self, s: State) -> list[Action]:
        """The legal moves, or at a CHANCE state the outcomes, as a list; empty if the game is over."""
        if self.is_terminal(s):
            return []
        if self.to_move(s) == CHANCE:
            return [outcome for outcome, _ in self.outcomes(s)]
        return list(self.actions(s))

    def legal(self, s: State) -> list[Action]:
        """The legal moves as a list: empty if the game is over or CHANCE moves."""
        if self.is_terminal(s) or self.to_move(s) == CHANCE:
            return []
        return list(self.actions(s))

    def checked(self, state: State) -> State:
        """The state, if it can be one of this game's; otherwise a StateError that says why not."""
        expected: Any = type(self.initial())
        if is_named_tuple(expected) and type(state) is not expected:
            raise StateError(
                f"{state!r} is a {type(state).__name__}, but a state of {self.title} is a {expected.__name__}"
            )
        wrap = normaliser(expected)
        if wrap is not None:
            try:
                wrapped = wrap(state)
            except (TypeError, ValueError, IndexError) as error:
                raise StateError(f"{state!r} is not a state of {self.title}: {error}") from None
            if wrapped != state:
                raise StateError(f"a field of {state!r} does not fit its width; wrapped it would be {wrapped!r}")
            return wrapped
        try:
            hash(state)
            if not self.is_terminal(state):
                self.to_move(state)
        except Exception as error:
            raise StateError(f"{state!r} is not a state of {self.title}: {type(error).__name__}: {error}") from error
        return state

    def _parameters(self) -> dict[str, Any]:
        names = inspect.signature(type(self)).parameters
        return {n: v for n, v in vars(self).items() if n in names and isinstance(v, bool | int | float | str | tuple)}

    def __repr__(self) -> str:
        return self.name

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        for name in RETURN_STATES:
            if name in vars(cls):
                setattr(cls, name, _normalised(vars(cls)[name]))


def _normalised(method: Any) -> Any:
    """The method, its state wrapped into the widths of its fields: the border at which both modes agree."""

    @functools.wraps(method)
    def wrapped(*arguments: Any, **keywords: Any) -> State:
        return normalise(method(*arguments, **keywords))

    return wrapped
