"""`analyse`: the best move in a state. It checks, chooses, compiles, runs, and says what it found and how."""

from __future__ import annotations

import itertools
import math
import numbers
import threading
import time
from collections.abc import Iterable
from typing import Any

from zermelo.game.errors import CompileError, GameError, StateError, TooDeep
from zermelo.game.methods import RULES
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.fingerprint import is_own
from zermelo.kernel.history import remember
from zermelo.kernel.routine import why_not_fixed_width
from zermelo.kernel.worker import PLIES, Abandoned, Stopped, plain_python, run, run_plain
from zermelo.search import algorithm as registry
from zermelo.search.algorithm import ENGINES, Algorithm
from zermelo.search.analysis import Analysis, Move, Value
from zermelo.search.observer import Bridge, observed
from zermelo.search.search import (
    DEEPEST,
    DEPTH_LIMIT,
    ESTIMATES,
    FAULT,
    HIGHEST,
    LOWEST,
    NODE_LIMIT,
    NODES,
    ROOT_MOVES,
    Search,
)
from zermelo.search.strategy import Strategy

DEFAULT_SECONDS = 10.0
DEFAULT_WIDTH = 256
"""How many outcomes a chance node may have where the game declares no `max_actions`."""
MOST_ACTIONS = 1_000_000
UNLIMITED = 1 << 62


def analyse(
    game: Game,
    state: Any = None,
    *,
    algorithm: Any = None,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    all_moves: bool = False,
    deepening: bool | None = None,
    compile: bool | None = None,
    observer: Any = None,
    history: Iterable[Any] = (),
    bookkeeping: type[Search] | None = None,
    **options: Any,
) -> Analysis:
    """The best move in a state of a game, its value, and the line of play expected.

    algorithm   a name, or a function decorated with @algorithm; by default what suits the game and the limits
    depth       how many plies to look ahead (chance counts as a ply); by default to the end of the game
    nodes       how many states to visit at most
    seconds     how long to search at most, not counting compilation; 10 where no limit of any kind is given
    all_moves   give every move at the root its exact value, rather than a bound where the search prunes
    deepening   search to depth 1, 2, 3 … until proven or a limit is reached; by default where no depth is given,
                and a limit is, or the choice of algorithm is left open
    compile     True, False, or by default whatever the game's states allow
    observer    is told of every visit, bound, cut and value
    history     the states before this one, for games whose rules ask about repetition
    bookkeeping a variant of the algorithm's own, such as StrictCuts (ties are not cut) or FailHard
    options     numbers that some algorithms take, such as beam=3

    "engine" and "mtdf" are algorithms too: see `zermelo.search.engine`, whose options are theirs.
    """
    if algorithm in ENGINES:
        return _by_engine(
            algorithm,
            game,
            state,
            depth=depth,
            nodes=nodes,
            seconds=seconds,
            all_moves=all_moves,
            compile=compile,
            history=history,
            refused={"observer": observer, "bookkeeping": bookkeeping, "deepening": deepening},
            options=options,
        )
    return _Run(game, state, algorithm, compile, observer, history, bookkeeping, options).analyse(
        depth=depth, nodes=nodes, seconds=seconds, all_moves=all_moves, deepening=deepening
    )


def _by_engine(
    name: str,
    game: Game,
    state: Any,
    *,
    all_moves: bool,
    compile: bool | None,
    refused: Any,
    options: Any,
    **limits: Any,
) -> Analysis:
    from zermelo.search.engine import Engine  # which stands on this module

    for keyword, value in refused.items():
        if value is not None:
            raise TypeError(f"{name} takes no {keyword}: it always deepens, and nothing can be watched in it")
    engine = Engine(game, compile=compile, **{**options, "mtdf": name == "mtdf"})
    s = game.initial() if state is None else game.checked(state)
    return engine.think(s, lines=max(len(game.legal(s)), 1) if all_moves else 1, **limits)


class _Run:
    """One call of `analyse`: what was asked, once it has been checked."""

    def __init__(
        self,
        game: Game,
        state: Any,
        algorithm: Any,
        compile: bool | None,
        observer: Any,
        history: Any,
        bookkeeping: type[Search] | None,
        options: dict[str, Any],
    ):
        if not isinstance(game, Game):
            raise GameError(f"{game!r} is not a Game: derive its class from zermelo.Game, and pass an instance")
        self.traits = game.traits
        self.chosen, self.reason = registry.choose(game) if algorithm is None else (registry.find(algorithm), "")
        if algorithm is not None:
            registry.require_suitable(self.chosen, game, self.traits)
            self.reason = "chosen by name"
        self.by_hand = algorithm is not None
        self.options = _checked_options(self.chosen, options)
        self.bookkeeping = bookkeeping or self.chosen.bookkeeping
        if not issubclass(self.bookkeeping, self.chosen.bookkeeping):
            raise TypeError(f"{self.chosen.name} needs bookkeeping of the kind {self.chosen.bookkeeping.__name__}")
        require_rules(game)
        self.state = game.initial() if state is None else game.checked(state)
        self.compiled = _should_compile(game, self.state, compile)
        self.earlier = list(history)
        self.game = game.remembering(self.earlier, PLIES + 2)
        here = game.remembering([*self.earlier, self.state])
        if here.is_terminal(self.state):
            worth = ", ".join(f"{game.utility(self.state, p):g}" for p in range(game.players))
            raise StateError(f"the game of {game.name} is over in this state, at ({worth}): there is no move to find")
        mover = game.to_move(self.state)
        if mover != CHANCE and not 0 <= mover < game.players:
            raise GameError(f"to_move gives {mover}, but {game.name} has players 0 to {game.players - 1} and CHANCE")
        self.chance_root = mover == CHANCE
        self.player = 0 if self.chance_root else mover
        self.root_actions = [] if self.chance_root else listed(here, self.state)
        self.observer = observer
        self.bridge = Bridge(observer) if observer is not None else None
        self.nodes = 0
        self.deepest = 0
        self._borrowed: list[tuple[Any, Search]] = []

    def analyse(
        self, *, depth: int | None, nodes: int | None, seconds: float | None, all_moves: bool, deepening: bool | None
    ) -> Analysis:
        depth, nodes, seconds = whole_number("depth", depth), whole_number("nodes", nodes), time_limit(seconds)
        limited = nodes is not None or seconds is not None
        if deepening is None:
            deepening = depth is None and (limited or not self.by_hand)
        if not self.chosen.deepens:
            deepening, depth = False, None
        if depth is None and not limited:
            seconds = DEFAULT_SECONDS
        search = self._new_search(depth)
        began = time.perf_counter()
        program = self._program(search)
        started = time.perf_counter()
        self.deadline = None if seconds is None else started + seconds
        self.node_limit = UNLIMITED if nodes is None else nodes
        depths = iter(range(1, (depth or PLIES) + 1)) if deepening else iter([depth or UNLIMITED])
        found = self._search_to(depths, search, program, all_moves)
        ended = time.perf_counter()
        self._give_back()
        return self._answer(found, ended - started, started - began)

    def _give_back(self) -> None:
        """Keep the bookkeeping for the next search of the same shape."""
        for key, search in self._borrowed:
            _spare[key] = search
            while len(_spare) > SPARES:
                _spare.pop(next(iter(_spare)))
        self._borrowed.clear()

    def _program(self, search: Search) -> Any:
        """What runs the search, given a state: compiled, or plain Python."""
        routine = self.chosen.routine
        if self.compiled:
            return routine.compiled(self.game, self.player, search)
        return lambda state: routine.run_plain(self.game, state, self.player, search)

    def _new_search(self, depth: int | None) -> Search:
        kind: Any = self.bookkeeping
        settings = {
            "compiled": self.compiled,
            "plies": min(PLIES, depth + 2) if depth is not None else PLIES,
            "root_moves": max(1, len(self.root_actions)),
            "columns": self.game.players if self.chosen.vector else 1,
            "bounds": tuple(float(bound) for bound in self.game.utility_bounds(self.player)),
            "width": self.game.max_actions or DEFAULT_WIDTH,
            **self.options,
        }
        if self.bridge:
            search: Search = observed(kind)(**settings)
            self.bridge.attach(search, self.compiled)
            return search
        if not self.compiled or not is_own(kind):  # somebody's own bookkeeping may keep what it has learned
            return kind(**settings)  # type: ignore[no-any-return]
        key = (kind, *settings.values())
        search = _spare.pop(key, None) or kind(**settings)
        self._borrowed.append((key, search))
        return search

    def _search_to(self, depths: Any, search: Search, program: Any, all_moves: bool) -> _Found:
        """Search to each depth in turn; what the last finished search found, or the last one's part of it."""
        found = None
        for depth in depths:
            try:
                latest = self._search_once(depth, search, program, all_moves)
            except Stopped:
                break
            if found is None or latest.finished:
                found = latest
            if not latest.finished or latest.exact:
                break
        if found is None:
            found = _Found(self._no_idea(), False, (), [], finished=False, depth=0)
        return found

    def _search_once(self, depth: int, search: Search, program: Any, all_moves: bool) -> _Found:
        search.limits[DEPTH_LIMIT] = depth
        if all_moves and not self.chance_root and self.chosen.prunes:
            return self._search_each(depth, search, program)
        self._reset(search)
        try:
            value = self._execute(program, self.state, search)
            finished = True
        except Stopped:
            value, finished = None, False
        moves = self._root_moves(search)
        line = tuple(self._action(a) for a in search.line[0][: search.length[0]])
        if not finished:
            if not line:
                raise Stopped
            best = next(m for m in moves if m.action == line[0])
            assert best.value is not None
            value = best.value
        return self._found(value, line, moves, search, finished, depth)

    def _search_each(self, depth: int, search: Search, program: Any) -> _Found:
        """Every move at the root with a search of its own, so that each has its exact value."""
        moves: list[Move] = []
        best: Move | None = None
        if self.nodes >= self.node_limit:
            raise Stopped
        self.nodes += 1
        exact = True
        search.limits[DEPTH_LIMIT] = max(depth - 1, 0)
        for a in self.root_actions:
            after = self.game.result(self.state, a)
            self._reset(search)
            remember(self.game, self.state)
            try:
                value = self._execute(program, after, search)
            except Stopped:
                if best is None:
                    raise
                break
            line = (a, *(self._action(x) for x in search.line[0][: search.length[0]]))
            move = Move(a, self.game.action_name(self.state, a), self._value(value), True, line)
            exact = exact and self._is_proven(value, search)
            moves.append(move)
            if best is None or _component(move.value, self.player) > _component(best.value, self.player):
                best = move
        assert best is not None
        assert best.value is not None
        self.deepest += 1
        finished = len(moves) == len(self.root_actions)
        return _Found(best.value, exact and finished, best.line, moves, finished, depth)

    def _reset(self, search: Search) -> None:
        for i in range(len(search.counts)):
            search.counts[i] = 0
        search.stop[0] = 0
        search.length[0] = 0
        search.limits[NODE_LIMIT] = self.node_limit - self.nodes
        if self.game.uses_history:
            self.game.history_length[0] = len(self.earlier)

    def _execute(self, program: Any, state: Any, search: Search) -> Any:
        left = None if self.deadline is None else self.deadline - time.perf_counter()
        if left is not None and left <= 0:
            raise Stopped
        try:
            if self.compiled:
                return run(lambda: program(state), search.stop, left)
            search.stop.deadline = math.inf if self.deadline is None else self.deadline
            with plain_python():
                return run_plain(lambda: program(state), search.stop, left)
        except Abandoned:
            self._borrowed.clear()  # it is still being written to
            raise
        except TooDeep:
            raise TooDeep(
                f"{self.game.name} went on for more than {search.limits[2] - 1:,} plies: give a depth, nodes or seconds"
            ) from None
        except GameError as error:
            led = [self._action(a) for a in search.path[: int(search.counts[FAULT])]]
            raise GameError(f"{self.game.name}, after {named(self.game, self.state, led)}: {error}") from None
        finally:
            self.nodes += int(search.counts[NODES])
            self.deepest = max(self.deepest, int(search.counts[DEEPEST]))
            if self.bridge and self.bridge.error:
                raise self.bridge.error

    def _action(self, a: Any) -> Any:
        return int(a) if self.compiled else a

    def _value(self, value: Any) -> Value:
        return tuple(float(v) for v in value) if self.chosen.vector else float(value)

    def _no_idea(self) -> Value:
        """The value of a state of which nothing is known, not even its evaluation: time was up before it began."""
        middle = float(Game.evaluate(self.game, self.state, self.player))
        return (middle,) * self.game.players if self.chosen.vector else middle

    def _found(self, value: Any, line: Any, moves: list[Move], search: Search, finished: bool, depth: int) -> _Found:
        proven = finished and self._is_proven(value, search)
        return _Found(self._value(value), proven, line, moves, finished, depth)

    def _is_proven(self, value: Any, search: Search) -> bool:
        """Nothing was estimated; or the value is the best, or the worst, there is, and no estimate was as extreme."""
        if search.counts[ESTIMATES] == 0:
            return True
        if self.chosen.vector:
            return False
        low, high = (float(bound) for bound in search.bounds)
        return bool((value == high and search.counts[HIGHEST] == 0) or (value == low and search.counts[LOWEST] == 0))

    def _root_moves(self, search: Search) -> list[Move]:
        """The root's moves with what the search found of each: exact where it did better than those before it."""
        if self.chance_root:
            return []
        moves: list[Move] = []
        best = -math.inf
        for i in range(min(int(search.counts[ROOT_MOVES]), len(search.roots))):
            a = self._action(search.roots[i])
            row = search.root_values[i]
            value: Value = tuple(float(v) for v in row) if self.chosen.vector else float(row[0])
            own = _component(value, self.player)
            moves.append(Move(a, self.game.action_name(self.state, a), value, not self.chosen.prunes or own > best))
            best = max(best, own)
        return moves

    def _answer(self, found: _Found, seconds: float, compile_seconds: float) -> Analysis:
        line = found.line
        searched = {move.action for move in found.moves}
        left = [
            Move(a, self.game.action_name(self.state, a), None, False) for a in self.root_actions if a not in searched
        ]
        if not line and not self.chance_root:
            line = (self.root_actions[0],)
        depth = self.deepest if found.exact or found.depth >= UNLIMITED else found.depth
        return Analysis(
            game=self.game,
            state=self.state,
            player=self.player,
            action=None if self.chance_root else line[0],
            value=found.value,
            exact=found.exact,
            line=() if self.chance_root else line,
            moves=(*found.moves, *left),
            nodes=self.nodes,
            depth=depth,
            seconds=seconds,
            compile_seconds=compile_seconds,
            algorithm=self.chosen.name,
            reason=self.reason,
            compiled=self.compiled,
            strategy=self._strategy(found),
        )

    def _strategy(self, found: _Found) -> Strategy | None:
        if self.chosen.name != "and_or" or found.value != 1.0 or self.game.uses_history:
            return None  # where the past matters, a state alone does not say what to do
        game, player, depth = self.game, self.player, found.depth

        def wins(state: Any) -> bool:
            if game.is_terminal(state):
                return game.utility(state, player) >= game.utility_bounds(player)[1]
            search = self._new_search(None)
            self._reset(search)
            search.limits[DEPTH_LIMIT], search.limits[NODE_LIMIT] = depth, UNLIMITED
            self.deadline = None
            return bool(self._execute(self._program(search), state, search) == 1.0)

        def choose(state: Any) -> Any:
            return next((a for a in game.actions(state) if wins(game.result(state, a))), None)

        return Strategy(game, self.state, player, choose)


_spare: dict[Any, Search | None] = {}
"""The bookkeeping of earlier searches, to be used again: allocating it costs more than a small search."""
SPARES = 16


class _Found:
    """What a search, finished or not, has found."""

    def __init__(self, value: Value, exact: bool, line: Any, moves: list[Move], finished: bool, depth: int):
        self.value, self.exact, self.line, self.moves = value, exact, line, moves
        self.finished, self.depth = finished, depth


def _component(value: Value | None, player: int) -> float:
    assert value is not None
    return value[player] if isinstance(value, tuple) else value


def _should_compile(game: Game, state: Any, wish: bool | None) -> bool:
    if wish is False:
        return False
    reason = why_not_fixed_width(type(state))
    if reason is not None and wish:
        raise CompileError(f"{game.name} cannot be compiled: {reason}")
    return reason is None


def _checked_options(chosen: Algorithm, options: dict[str, Any]) -> dict[str, Any]:
    for name, value in options.items():
        if name not in chosen.options:
            allowed = f"it takes {', '.join(chosen.options)}" if chosen.options else "it takes none"
            raise TypeError(f"{chosen.name} has no option {name!r}; {allowed}")
        if not isinstance(value, int) or value < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, not {value!r}")
    return {**chosen.options, **options}


def whole_number(name: str, limit: Any) -> int | None:
    """A limit as a whole number, within what a search can count; None where there is none."""
    if limit is None:
        return None
    if not isinstance(limit, numbers.Integral) or isinstance(limit, bool) or limit < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, not {limit!r}")
    return min(int(limit), UNLIMITED)


def time_limit(seconds: Any) -> float | None:
    """A limit in seconds that a thread can wait for; None where there is none."""
    if seconds is None:
        return None
    if not isinstance(seconds, numbers.Real) or isinstance(seconds, bool) or not float(seconds) > 0:
        raise ValueError(f"seconds must be a number of more than 0, not {seconds!r}")
    return min(float(seconds), threading.TIMEOUT_MAX / 2)


def require_rules(game: Game) -> None:
    """Raise GameError if a game lacks one of the textbook's six methods."""
    missing = [name for name in RULES if not game.offers(name)]
    if missing:
        raise GameError(
            f"{type(game).__name__} does not define {', '.join(missing)}: every game needs {', '.join(RULES)}"
        )


def listed(game: Game, s: Any) -> list[Any]:
    """The legal moves of the root, of which there must be an end."""
    actions = list(itertools.islice(game.actions(s), MOST_ACTIONS + 1))
    if len(actions) > MOST_ACTIONS:
        raise GameError(f"{game.name} has more than {MOST_ACTIONS:,} legal moves in {s!r}: does `actions` ever end?")
    return actions


def named(game: Game, s: Any, moves: Iterable[Any]) -> str:
    """The moves that led to a state in which the rules went wrong, as far as these rules can follow and name them."""
    names = []
    try:
        for a in moves:
            name = str(a) if game.to_move(s) == CHANCE else game.action_name(s, a)
            s = game.result(s, a)
            names.append(name)
    except Exception:
        pass
    return " ".join(names) or "no moves"
