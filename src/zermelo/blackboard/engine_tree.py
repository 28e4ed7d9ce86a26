"""The real engine's search as a tree: which moves it cut, where the table answered, and where quiescence began.

The engine runs as plain Python. Its own function, `search_node`, runs in a copy whose recursive calls go through this
module. Every call is therefore recorded with its arguments and its result, and nothing is shown that the engine did not
do. What a node did itself, without the nodes below it, follows from the engine's counters.
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from zermelo.blackboard.wording import number
from zermelo.game.errors import StateError
from zermelo.game.protocol import Game
from zermelo.kernel.history import forget, remember
from zermelo.kernel.ordinals import float_of
from zermelo.kernel.worker import Stopped
from zermelo.search.bookkeeping import NODES
from zermelo.search.engine import windows
from zermelo.search.engine.engine import Engine
from zermelo.search.engine.memory import Memory
from zermelo.search.engine.node import NO_PASS, search_node
from zermelo.search.engine.scores import TOP, WIN, WINS
from zermelo.search.engine.switches import CUTS, ESTIMATES, LEAVES, QUIESCENT, TABLE_CUTS

NODE_LIMIT = 20_000
"""The most nodes that a watched search may visit: all of them are kept."""

ASKED = {
    "full": "its value",
    "scout": "only whether it is better than what is known",
    "reduced": "whether it is better, less deeply, as a late move",
    "null move": "whether it is good enough even if the mover passes",
    "without": "whether its best move is the only good one",
    "shallow": "which move to try first",
}
"""Why a node was entered."""

ENDED = {
    "searched": "its moves were searched",
    "cut": "a move was good enough, and the rest were cut",
    "table": "the table had the answer",
    "over": "the game is over there",
    "horizon": "the depth was used up, and it was evaluated",
    "stood": "beyond the horizon, and no noisy move was worth following: its evaluation counts",
    "passed": "even passing was good enough: a null move cut it",
    "given up": "its evaluation was so good that it was not searched",
    "known": "the game's own rules settled it without a search",
}
"""How a node came to its value."""


@dataclass
class Visit:
    """One visit of the engine's search. The same position can be visited several times.

    ply, depth  the distance from the root, and the remaining depth
    action      the move to it; None at the root, for a null move, and if its parent is searched again
    low, high   the window, and `score` the answer: the engine's scores, as the player at the root sees them
    asked       why it was entered: see ASKED
    ended       how it came to its value: see ENDED
    quiescent   is it in the quiescence search?
    left        the moves that were cut
    """

    number: int
    parent: int
    ply: int
    depth: int
    state: Any = field(repr=False)
    action: Any = None
    low: int = -TOP
    high: int = TOP
    score: int = 0
    asked: str = "full"
    ended: str = "searched"
    quiescent: bool = False
    left: tuple[Any, ...] = ()
    children: list[int] = field(default_factory=list)

    @property
    def sign(self) -> str:
        """How its answer relates to its value: at most ("≤"), at least ("≥"), or "" if exact."""
        return "≤" if self.score <= self.low else "≥" if self.score >= self.high else ""


@dataclass(frozen=True)
class EngineTree:
    """The engine's search to one depth, after those to the depths before it: every node in the order of its visit.

    counts   the engine's own: nodes, cuts, table_cuts, quiescent, leaves
    """

    game: Game
    player: int
    depth: int
    visits: tuple[Visit, ...]
    counts: dict[str, int]
    order: tuple[tuple[str, int], ...] = field(repr=False)  # "enter" and "leave", each with the number of a visit
    line: tuple[int, ...]  # the visits on the principal line, the root first

    def move(self, number: int) -> str:
        """The name of the move to a node."""
        at = self.visits[number]
        if at.asked == "null move":
            return "pass"
        if at.asked in ("without", "shallow"):
            return {"without": "without its best move", "shallow": "a shallow search first"}[at.asked]
        return "" if at.parent < 0 else self.game.action_name(self.visits[at.parent].state, at.action)

    def value(self, score: int) -> str:
        """A score, as people read it."""
        if score >= TOP:
            return "+∞"
        if score <= -TOP:
            return "−∞"
        if abs(score) >= WINS:
            won = "won" if score > 0 else "lost"
            return won if abs(score) == WIN else f"{won} in {WIN - abs(score)}"
        return number(float_of(score))

    def window(self, number: int) -> str:
        """The window of a node; a null window is shown as a question."""
        at = self.visits[number]
        if at.high - at.low == 1:
            return f"> {self.value(at.low)}?"
        return f"[{self.value(at.low)}, {self.value(at.high)}]"


def watch_engine(
    game: Game,
    state: Any = None,
    depth: int = 3,
    history: Iterable[Any] = (),
    nodes: int = NODE_LIMIT,
    **options: Any,
) -> EngineTree:
    """The engine's search to this depth, after the smaller depths; options as for `Engine`."""
    engine = _Watched(game, compile=False, table=1, **options)
    engine.limit = nodes
    with contextlib.suppress(Stopped):
        engine.search(state, depth=depth, deepening=True, history=history)
    if engine.is_full or not engine.visits:
        raise StateError(
            f"the engine visits more than {nodes:,} nodes of {game.title} to depth {depth}, which are too many to be "
            "shown: give a smaller depth"
        )
    names = {"nodes": NODES, "cuts": CUTS, "table_cuts": TABLE_CUTS, "quiescent": QUIESCENT, "leaves": LEAVES}
    counts = {name: int(engine.memories[0].counts[place]) for name, place in names.items()}
    player = game.to_move(engine.visits[0].state)
    visits, order = tuple(engine.visits), tuple(engine.order)
    return EngineTree(game, player, engine.depth, visits, counts, order, _line(visits, engine.memories[0]))


def _line(visits: tuple[Visit, ...], memory: Memory) -> tuple[int, ...]:
    """The visits on the engine's line, each the last one to its move."""
    numbers = [0]
    for a in memory.line[0][: memory.length[0]]:
        at = visits[numbers[-1]]
        found = [n for n in at.children if visits[n].ply > at.ply and visits[n].action == a]
        if not found:
            break
        numbers.append(found[-1])
    return tuple(numbers)


class _Watched(Engine):
    """The engine, whose last search is kept."""

    visits: list[Visit]
    order: list[tuple[str, int]]
    limit: int
    depth = 0
    is_full = False

    def _program(self, game: Game, memory: Memory) -> Callable[[Any], Any]:
        return functools.partial(self._ask, game, memory)

    def _ask(self, game: Game, memory: Memory, state: Any) -> Any:
        self.visits, self.order, self._stack = [], [], list[_Entered]()
        asking = _calling(windows.ask, self._node)
        self._inner = _calling(search_node, self._node)
        return asking(game, state, memory)

    def _node(
        self,
        game: Any,
        s: Any,
        player: int,
        search: Memory,
        ply: int,
        depth: int,
        alpha: int,
        beta: int,
        view: int,
        skip: int,
    ) -> int:
        if len(self.visits) >= self.limit:
            self.is_full = True
            raise Stopped
        above = self._stack[-1] if self._stack else None
        parent = None if above is None else above.visit
        low, high = (alpha, beta) if view > 0 else (-beta, -alpha)
        visit = Visit(len(self.visits), -1 if parent is None else parent.number, ply, depth, s, None, low, high)
        if parent is None or above is None:
            self.depth = depth
        else:
            parent.children.append(visit.number)
            _enter(visit, above, skip, search)
        self.visits.append(visit)
        self.order.append(("enter", visit.number))
        before = list(search.counts)
        entered = _Entered(visit, before)
        self._stack.append(entered)
        answer: int = self._inner(game, s, player, search, ply, depth, alpha, beta, view, skip)
        self._stack.pop()
        own = entered.own(search.counts)
        if above is not None:  # counts of the nodes below are not its own
            above.counts = [now - mine for now, mine in zip(search.counts, above.own(before), strict=True)]
        visit.score = answer * view
        _leave(visit, entered, own, game)
        self.order.append(("leave", visit.number))
        return answer


@dataclass
class _Entered:
    """A node that the search is in: the counters as they would be now if it had counted nothing itself."""

    visit: Visit
    counts: list[int]
    deeper: int | None = None  # how deep its first move was searched
    moves: list[Any] = field(default_factory=list)

    def own(self, now: list[int]) -> list[int]:
        """Its own share of the current counters."""
        return [count - without for count, without in zip(now, self.counts, strict=True)]


def _calling(function: Any, instead: Callable[..., int]) -> Callable[..., int]:
    """A copy of the function that calls something else instead of `search_node`."""
    return types.FunctionType(function.__code__, {**function.__globals__, "search_node": instead}, function.__name__)


def _enter(visit: Visit, above: _Entered, skip: int, search: Memory) -> None:
    """Why a node is entered, from the arguments of its parent's call."""
    if visit.ply == above.visit.ply:
        visit.asked = "shallow" if skip == NO_PASS else "without"
        return
    if skip == NO_PASS:
        visit.asked = "null move"
        return
    visit.action = search.path[visit.ply - 1]
    above.moves.append(visit.action)
    if above.deeper is None:
        above.deeper = visit.depth
    if visit.depth < above.deeper:
        visit.asked = "reduced"
    elif visit.high - visit.low == 1 and above.visit.high - above.visit.low > 1:
        visit.asked = "scout"


def _leave(visit: Visit, entered: _Entered, own: list[int], game: Any) -> None:
    """How a node got its value, from its own counters."""
    visit.quiescent = own[QUIESCENT] > 0
    tried = bool(entered.moves)
    if own[CUTS]:
        visit.ended = "cut"
        if not visit.quiescent:
            remember(game, visit.state)
            visit.left = tuple(a for a in game.actions(visit.state) if a not in entered.moves)
            forget(game)
    elif own[TABLE_CUTS]:
        visit.ended = "table"
    elif tried:
        visit.ended = "searched"
    elif visit.quiescent:
        visit.ended = "stood"
    elif own[LEAVES] and (not own[ESTIMATES] or _is_over(visit, game)):
        visit.ended = "over"
    elif own[LEAVES]:
        visit.ended = "horizon"
    elif visit.children:
        visit.ended = "passed"
    else:
        visit.ended = "given up" if own[ESTIMATES] else "known"


def _is_over(visit: Visit, game: Any) -> bool:
    """Is it the end of the game, or a repetition?"""
    remember(game, visit.state)
    over = game.is_terminal(visit.state) or bool(game.uses_history and game.recurs(visit.state))
    forget(game)
    return over
