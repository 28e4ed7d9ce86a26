"""`analyse`: the best move in a state. It validates the request, selects an algorithm, and lets that search."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of
from zermelo.kernel.stopping import StopToken
from zermelo.search.analysis import Analysis
from zermelo.search.checks import require_rules, time_limit, whole_number
from zermelo.search.question import Question
from zermelo.search.registry import Algorithm, choose, find, require_suitable
from zermelo.search.search import Search

if TYPE_CHECKING:
    from zermelo.search.engine import Progress

QUICK_NODES, QUICK_SECONDS = 2_000, 1.0
"""Before an algorithm that takes seconds to compile is used by default, plain Python gets this much to find a proof."""


def analyse(
    game: Game | str,
    state: Any = None,
    *,
    algorithm: Any = None,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    all_moves: bool = False,
    lines: int | None = None,
    deepening: bool | None = None,
    compile: bool | None = None,
    observer: Any = None,
    history: Iterable[Any] = (),
    bookkeeping: type[Search] | None = None,
    stop: StopToken | None = None,
    on_progress: Callable[[Progress], Any] | None = None,
    **options: Any,
) -> Analysis:
    """The best move in a state of a game, its value, and the expected line of play.

    game        a game, its name, or a file such as "mygame.py:MyGame"
    algorithm   a name, or a function decorated with @algorithm; by default the strongest that suits the game
    depth       how many plies to look ahead (chance counts as a ply); by default to the end of the game
    nodes       how many states to visit at most
    seconds     how long to search at most, not counting compilation; 10 if there is no limit of any kind
    all_moves   give every move at the root its own value, rather than a bound if the search prunes
    lines       how many of the best moves to give with their lines, if the algorithm can (the engine)
    deepening   search to depth 1, 2, 3 … until proven or a limit is reached; by default if no depth is given, and a
                limit is, or no algorithm is named
    compile     True, False, or by default whatever the game's states allow
    observer    an object whose methods are called for every visit, bound, cut and value; of mcts, every simulation
    history     the states before this one, for games whose rules ask about repetition
    bookkeeping a variant of the algorithm's own, such as StrictCuts (ties are not cut) or FailHard
    stop        a token that ends the search when it is stopped
    on_progress a function that the engine calls with a Progress after each depth
    options     further options of the algorithm, such as beam=3 or table=16

    `zermelo.algorithms()` lists the algorithms; docs/analyse.md says which one is chosen by default.
    """
    game = game_of(game)
    require_rules(game)
    watched = any(each is not None for each in (observer, bookkeeping, deepening))
    if algorithm is None:
        limits = [
            name for name, limit in (("depth", depth), ("nodes", nodes), ("seconds", seconds)) if limit is not None
        ]
        chosen, reason = choose(game, observable=True if watched else None, limits=limits)
    else:
        chosen, reason = find(algorithm), "chosen by name"
        require_suitable(chosen, game)
    chosen.check_options(options)
    question = Question(
        game,
        game.initial() if state is None else game.checked(state),
        list(history),
        depth=whole_number("depth", depth),
        nodes=whole_number("nodes", nodes),
        seconds=time_limit(seconds),
        all_moves=all_moves,
        lines=whole_number("lines", lines),
        deepening=deepening,
        observer=observer,
        bookkeeping=bookkeeping,
        stop=stop,
        on_progress=on_progress,
        by_name=algorithm is not None,
    )
    _require_offered(chosen, question)
    question.check()
    proves = not chosen.observable and not chosen.needs_chance  # where there is chance, a proof is rare
    if algorithm is None and proves and not options and compile is not True:
        found = _quick_look(question)
        if found is not None:
            return found
    return dataclasses.replace(chosen.make(chosen, game, compile, options).analyse(question), reason=reason)


def _quick_look(question: Question) -> Analysis | None:
    """The answer, if a textbook algorithm proves it at once in plain Python: then there is nothing to compile.

    A request for a limited number of nodes or seconds, or for several lines, goes to the default algorithm directly.
    """
    if question.is_limited or question.lines is not None:
        return None
    try:
        simple, _ = choose(question.game, observable=True)
    except Unsuitable:  # nothing that can be watched plays it
        return None
    quick = dataclasses.replace(question, nodes=QUICK_NODES, seconds=QUICK_SECONDS, deepening=True, on_progress=None)
    found = simple.make(simple, question.game, False, {}).analyse(quick)
    if not found.exact:
        return None
    return dataclasses.replace(found, reason=f"proven within {QUICK_NODES:,} nodes in plain Python")


def _require_offered(chosen: Algorithm, question: Question) -> None:
    """Raise TypeError if the question asks for something that the algorithm does not have."""
    for name in ("depth", "nodes", "seconds"):
        if getattr(question, name) is not None and name not in chosen.limits:
            raise TypeError(f"{chosen.name} takes no {name}; it takes {', '.join(chosen.limits)}")
    if not chosen.observable:
        for name in ("observer", "bookkeeping", "deepening"):
            if getattr(question, name) is not None and not (name == "observer" and chosen.simulates):
                raise TypeError(f"{chosen.name} takes no {name}: it always deepens, and cannot be watched")
    if question.lines is not None and not chosen.lines:
        raise TypeError(f"{chosen.name} takes no lines; all_moves gives every move its value")
