"""The registry of algorithms: what each is called, which games it suits, what it offers, and which is the default.

An algorithm is one entry. `analyse`, the command line, players, races and the lists in the app all read this table,
so an algorithm that registers itself here is available everywhere. `@zermelo.algorithm` registers a textbook
algorithm from a function; others, such as the engine, call `register` with a `Searcher` of their own.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from zermelo.game.errors import UnknownName, Unsuitable
from zermelo.game.protocol import Game, Traits
from zermelo.kernel.routine import Routine
from zermelo.search.question import Searcher
from zermelo.search.search import Search


@dataclass(frozen=True)
class Algorithm:
    """One entry of the registry.

    Which games it suits:
    sides        the most sides that it can handle; None for any number
    zero_sum     only games whose sides' utilities add up to a constant
    chance       also games with chance nodes
    needs_chance only games with chance nodes
    samples      also chance that can only be drawn, not listed
    hidden       also games with hidden information
    needs_hidden only games with hidden information
    history      also games whose rules ask about earlier positions
    bounded      only games with a finite utility range

    What it offers:
    vector       its values are vectors, one number for each player
    prunes       it may leave a root move with only a bound
    deepens      it can be repeated with growing depth
    anytime      stopped early, it still has a useful answer
    observable   it can be watched, and takes an observer, bookkeeping and deepening
    simulates    it takes an observer, whose `simulation` is called after each simulation
    lines        it can give several of the best lines
    randomised   it draws random numbers, and takes a seed
    limits       the limits that it accepts, besides stop tokens and clocks
    options      further keywords that it takes, with their defaults

    When it is the default:
    strength     of the suitable algorithms the one with the greatest strength is chosen; 0: never by default. It is a
                 function of the game if it depends on what the game knows of itself
    because      the reason, for people; `{sides}` is the number of sides. It is a function of the game if it depends on
                 what the game knows of itself
    """

    name: str
    summary: str
    make: Callable[[Algorithm, Game, bool | None, dict[str, Any]], Searcher] = field(repr=False)
    sides: int | None = 2
    zero_sum: bool = True
    chance: bool = False
    needs_chance: bool = False
    samples: bool = False
    hidden: bool = False
    needs_hidden: bool = False
    history: bool = True
    bounded: bool = False
    vector: bool = False
    prunes: bool = False
    deepens: bool = True
    anytime: bool = True
    observable: bool = False
    simulates: bool = False
    lines: bool = False
    randomised: bool = False
    limits: tuple[str, ...] = ("depth", "nodes", "seconds")
    options: dict[str, Any] = field(default_factory=dict)
    strength: int | Callable[[Game], int] = 0
    because: str | Callable[[Game], str] = ""
    routine: Routine | None = field(default=None, repr=False)  # of a textbook algorithm: the function, in both modes
    bookkeeping: type[Search] = Search  # of a textbook algorithm: what its `search` is

    def objection(self, traits: Traits) -> str | None:
        """Why it cannot play such a game; None if it can."""
        if traits.hidden and not self.hidden:
            return "it looks at the whole state, and here some of it is hidden from the players"
        if self.needs_hidden and not traits.hidden:
            return "it is for games with hidden information, and here everything is open"
        if traits.chance and not self.chance:
            return "it has no chance nodes, and this game has dice or cards"
        if self.needs_chance and not traits.chance:
            return "it is for games with dice or other chance, and this game has none"
        if traits.chance and not traits.lists_outcomes and not self.samples:
            return "it must list the outcomes of chance, and this game can only draw them"
        if self.sides is not None and traits.sides > self.sides:
            return f"it is for at most {self.sides} sides, and this game has {traits.sides}"
        if self.zero_sum and traits.sides > 1 and not traits.zero_sum:
            return "what one side wins the other must lose, and this game is not zero-sum"
        if traits.uses_history and not self.history:
            return "it cannot tell how a position was reached, and the rules of this game ask about that"
        if self.bounded and not all(abs(bound) < math.inf for bound in traits.utility_range):
            return "it needs known bounds on the utility, and this game declares no utility_range"
        return None

    def strength_at(self, game: Game) -> int:
        """How strong it is at this game, for the choice of the default."""
        return self.strength(game) if callable(self.strength) else self.strength

    def check_options(self, given: dict[str, Any]) -> None:
        """Raise TypeError for an option that it does not have."""
        for name in given:
            if name not in self.options:
                allowed = f"it takes {', '.join(self.options)}" if self.options else "it takes none"
                raise TypeError(f"{self.name} has no option {name!r}; {allowed}")


NOTHING_SUITS = "no algorithm plays it within these limits"

_table: dict[str, Algorithm] = {}
_by_function: dict[Any, Algorithm] = {}


def register(entry: Algorithm) -> Algorithm:
    """Add an algorithm, under its name and, if it has one, its function."""
    _table[entry.name] = entry
    if entry.routine is not None:
        _by_function[entry.routine.function] = entry
    return entry


def algorithms(*, observable: bool | None = None) -> list[Algorithm]:
    """All registered algorithms, the textbook's first; or only those that can be watched, or only the others."""
    found = [a for a in _table.values() if observable is None or a.observable == observable]
    return sorted(found, key=lambda a: not a.observable)


def find(chosen: Any) -> Algorithm:
    """The algorithm with this name, or made from this function."""
    if isinstance(chosen, Algorithm):
        return chosen
    if callable(chosen):
        if chosen in _by_function:
            return _by_function[chosen]
        raise UnknownName(f"{chosen!r} is not an algorithm: decorate it with @zermelo.algorithm()")
    name = str(chosen)
    if name not in _table:
        name = name.strip().replace("-", "_").casefold()
    if name not in _table:
        near = difflib.get_close_matches(name, _table, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        there = ", ".join(a.name for a in algorithms())
        raise UnknownName(f"there is no algorithm {chosen!r}; {hint}there are {there}")
    return _table[name]


def suitable(traits: Traits, *, observable: bool | None = None) -> list[Algorithm]:
    """The algorithms that can play such a game."""
    return [a for a in algorithms(observable=observable) if a.objection(traits) is None]


def require_suitable(chosen: Algorithm, game: Game) -> None:
    """Raise Unsuitable, with the algorithms that suit, if this one cannot play the game."""
    traits = game.traits
    objection = chosen.objection(traits)
    if objection is None:
        return
    others = [a.name for a in suitable(traits)]
    instead = f"suitable here: {', '.join(others)}" if others else NOTHING_SUITS
    raise Unsuitable(f"{chosen.name} does not suit {game.title}: {objection}; {instead}")


def choose(game: Game, *, observable: bool | None = None, limits: Iterable[str] = ()) -> tuple[Algorithm, str]:
    """The strongest algorithm that suits the game, and why; or the strongest of those that can be watched.

    limits   kinds of limits that it must accept
    """
    traits = game.traits
    fitting = [a for a in suitable(traits, observable=observable) if set(limits) <= set(a.limits)]
    ranked = [(strength, a) for a in fitting if (strength := a.strength_at(game)) > 0]
    if not ranked:
        raise Unsuitable(f"{game.title} ({traits}): {NOTHING_SUITS}")
    _, best = max(ranked, key=lambda pair: pair[0])
    because = best.because(game) if callable(best.because) else best.because
    return best, because.format(sides=traits.sides)
