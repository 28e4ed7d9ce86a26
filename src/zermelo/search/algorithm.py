"""The decorator that makes a search algorithm of a function, and the table of those there are.

A function over (game, s, player, search, ...) becomes an algorithm that `analyse` can run on any suitable game,
compiled or not, observed or not. The function itself stays what it was.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from zermelo.game.errors import UnknownName, Unsuitable
from zermelo.game.protocol import Game, Traits
from zermelo.kernel.routine import Routine
from zermelo.search.search import Search

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Algorithm:
    """A search algorithm: the function, and the kinds of game that it is for."""

    name: str
    routine: Routine
    summary: str
    sides: int | None  # the most sides that it can handle; None for any number
    zero_sum: bool  # only games whose sides' utilities add up to a constant?
    chance: bool  # also games with chance nodes?
    bounded: bool  # only games with a finite utility range?
    vector: bool  # are its values vectors, one number for each player?
    prunes: bool  # may it leave a root move with only a bound?
    deepens: bool  # can it be repeated with growing depth?
    bookkeeping: type[Search]  # what its `search` is
    options: dict[str, Any]  # numbers that its bookkeeping takes, with their defaults

    def objection(self, traits: Traits) -> str | None:
        """Why it cannot play such a game; None where it can."""
        if traits.hidden:
            return "it looks at the whole state, and here some of it is hidden from the players"
        if traits.chance and not self.chance:
            return "it has no chance nodes, and this game has dice or cards"
        if traits.chance and not traits.lists_outcomes:
            return "it must list the outcomes of chance, and this game can only draw them"
        if self.sides is not None and traits.sides > self.sides:
            return f"it is for at most {self.sides} sides, and this game has {traits.sides}"
        if self.zero_sum and traits.sides > 1 and not traits.zero_sum:
            return "what one side wins the other must lose, and this game is not zero-sum"
        if self.bounded and not all(abs(bound) < float("inf") for bound in traits.utility_range):
            return "it needs known bounds on the utility, and this game declares no utility_range"
        return None


ENGINES = ("engine", "mtdf")
"""What `analyse` knows beside the algorithms of the table: see `zermelo.search.engine`."""

_table: dict[str, Algorithm] = {}
_by_function: dict[Any, Algorithm] = {}


def algorithm(
    *,
    sides: int | None = 2,
    zero_sum: bool = True,
    chance: bool = False,
    bounded: bool = False,
    vector: bool = False,
    prunes: bool = False,
    deepens: bool = True,
    bookkeeping: type[Search] = Search,
    **options: Any,
) -> Callable[[Function], Function]:
    """Make an algorithm of a function over (game, s, player, search, ply=0, ...), and register it under its name.

    Further parameters must have defaults: the recursion starts with them. The keywords say what kind of game it
    suits; an option is a number that `analyse` accepts by that name and puts into the search's bookkeeping.
    """

    def register(function: Function) -> Function:
        made = Algorithm(
            name=function.__name__,
            routine=Routine(function),
            summary=(function.__doc__ or "").strip().split("\n")[0],
            sides=sides,
            zero_sum=zero_sum,
            chance=chance,
            bounded=bounded,
            vector=vector,
            prunes=prunes,
            deepens=deepens,
            bookkeeping=bookkeeping,
            options=options,
        )
        _table[made.name] = _by_function[function] = made
        return function

    return register


def algorithms() -> list[Algorithm]:
    """All registered algorithms, in the order in which they were made."""
    return list(_table.values())


def find(chosen: Any) -> Algorithm:
    """The algorithm of that name, or made of that function."""
    if isinstance(chosen, Algorithm):
        return chosen
    if callable(chosen):
        if chosen in _by_function:
            return _by_function[chosen]
        raise UnknownName(f"{chosen!r} is not an algorithm: decorate it with @zermelo.algorithm()")
    name = str(chosen).replace("-", "_").casefold()
    if name in ENGINES:
        raise UnknownName(f"{chosen!r} is for analyse(game, algorithm={name!r}) alone, and cannot be watched")
    if name not in _table:
        there = [*_table, *ENGINES]
        near = difflib.get_close_matches(name, there, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise UnknownName(f"there is no algorithm {chosen!r}; {hint}there are {', '.join(there)}")
    return _table[name]


def suitable(traits: Traits) -> list[Algorithm]:
    """The algorithms that can play such a game."""
    return [a for a in _table.values() if a.objection(traits) is None]


def require_suitable(chosen: Algorithm, game: Game, traits: Traits) -> None:
    """Raise Unsuitable, with what would suit, where the algorithm cannot play the game."""
    objection = chosen.objection(traits)
    if objection is None:
        return
    others = [a.name for a in suitable(traits)]
    instead = f"suitable here: {', '.join(others)}" if others else NOTHING_SUITS
    raise Unsuitable(f"{chosen.name} does not suit {game.name}: {objection}; {instead}")


def require_two_sides(searcher: str, game: Game) -> None:
    """Raise Unsuitable where a game is not one side against another, or one alone, with everything in the open."""
    traits = game.traits
    if traits.hidden or traits.chance or traits.sides > 2 or (traits.sides == 2 and not traits.zero_sum):
        raise Unsuitable(
            f"{searcher} does not suit {game.name}: it plays games of at most two sides, zero-sum, without chance and "
            f"with nothing hidden, and this is a game of {traits}"
        )


NOTHING_SUITS = (
    "no algorithm of this version plays it (hidden information needs sampling or an equilibrium solver, and chance "
    "that can only be drawn needs sampling)"
)


def choose(game: Game) -> tuple[Algorithm, str]:
    """The algorithm that suits the game best, and why."""
    traits = game.traits
    if not suitable(traits):
        raise Unsuitable(f"{game.name} ({traits}): {NOTHING_SUITS}")
    finite = all(abs(bound) < float("inf") for bound in traits.utility_range)
    if traits.sides > 2 or (traits.sides == 2 and not traits.zero_sum):
        return find("maxn"), f"{traits.sides} sides, each after its own utility"
    if traits.chance and finite:
        return find("star2"), "chance nodes, and bounds on the utility to prune with"
    if traits.chance:
        return find("expectiminimax"), "chance nodes, and no bounds on the utility to prune with"
    return find("alpha_beta"), "no chance and nothing hidden, one side against the other"
