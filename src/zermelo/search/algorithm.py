"""The decorator that makes a search algorithm from a function.

A function over (game, s, player, search, ...) becomes an algorithm that runs on any suitable game, compiled or not,
observed or not, everywhere that a built-in algorithm does. The function itself is unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from zermelo.kernel.routine import Routine
from zermelo.search.registry import Algorithm, algorithms, register
from zermelo.search.search import Search
from zermelo.search.textbook import TextbookSearcher

__all__ = ["algorithm", "algorithms"]

Function = TypeVar("Function", bound=Callable[..., Any])


def algorithm(
    *,
    sides: int | None = 2,
    zero_sum: bool = True,
    chance: bool = False,
    bounded: bool = False,
    samples: bool = False,
    hidden: bool = False,
    history: bool = True,
    vector: bool = False,
    prunes: bool = False,
    deepens: bool = True,
    anytime: bool = True,
    randomised: bool = False,
    bookkeeping: type[Search] = Search,
    strength: int = 0,
    because: str = "",
    **options: Any,
) -> Callable[[Function], Function]:
    """Make an algorithm from a function over (game, s, player, search, ply=0, ...), and register it under its name.

    Further parameters must have defaults: the recursion starts with them. The keywords are those of `Algorithm`. Any
    other keyword is an option: a number that `analyse` accepts by that name and passes to the search's bookkeeping.

    A randomised algorithm is a function over (game, s, player, search, random, ply=0, ...): `random` is a
    `zermelo.Random` with the same numbers in both modes, and `analyse` takes a `seed`.
    """
    if randomised:
        options = {**options, "seed": 0}

    def decorate(function: Function) -> Function:
        register(
            Algorithm(
                name=function.__name__,
                summary=(function.__doc__ or "").strip().split("\n")[0],
                make=TextbookSearcher,
                sides=sides,
                zero_sum=zero_sum,
                chance=chance,
                bounded=bounded,
                samples=samples,
                hidden=hidden,
                history=history,
                vector=vector,
                prunes=prunes,
                deepens=deepens,
                anytime=anytime,
                randomised=randomised,
                observable=True,
                options=options,
                strength=strength,
                because=because,
                routine=Routine(function),
                bookkeeping=bookkeeping,
            )
        )
        return function

    return decorate
