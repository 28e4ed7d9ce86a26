"""Running a textbook algorithm: it is compiled with the game, run within the limits, and its findings are collected."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import GameError, TooDeep
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.fingerprint import is_own
from zermelo.kernel.history import remember, rewind
from zermelo.kernel.random import Random
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import PLIES, Abandoned, Stopped, plain_python, run, run_plain
from zermelo.search.analysis import Analysis, Move
from zermelo.search.bookkeeping import DEEPEST, FAULT, NODE_LIMIT, NODES, PLY_LIMIT
from zermelo.search.checks import UNLIMITED, named, should_compile
from zermelo.search.faults import located
from zermelo.search.observer import Bridge, observed
from zermelo.search.question import Question, Searcher
from zermelo.search.search import DEPTH_LIMIT, ESTIMATES, HIGHEST, LOWEST, ROOT_MOVES, Search
from zermelo.search.strategy import Strategy
from zermelo.search.wording import Value

DEFAULT_SECONDS = 10.0
DEFAULT_WIDTH = 256
"""How many outcomes a chance node may have if the game declares no `max_actions`."""
SPARES = 16
_spare: dict[Any, Search | None] = {}
"""The bookkeeping of earlier searches, for reuse: allocating it takes longer than a small search."""


class TextbookSearcher(Searcher):
    """A textbook algorithm. It learns nothing from one question for the next."""

    def analyse(self, question: Question) -> Analysis:
        return _Run(self, question).analyse()


@dataclass(frozen=True)
class _Found:
    """What a search, finished or not, has found."""

    value: Value
    exact: bool
    line: tuple[Any, ...]
    moves: list[Move]
    finished: bool
    depth: int


class _Run:
    """One search, or several with growing depth, for one question."""

    def __init__(self, searcher: TextbookSearcher, question: Question):
        self.chosen, self.question, self.options = searcher.algorithm, question, _checked_options(searcher)
        self.state, self.player = question.state, question.player
        self.compiled = should_compile(question.game, question.state, searcher.compile)
        self.bookkeeping = question.bookkeeping or self.chosen.bookkeeping
        if not issubclass(self.bookkeeping, self.chosen.bookkeeping):
            raise TypeError(f"{self.chosen.name} needs bookkeeping of the kind {self.chosen.bookkeeping.__name__}")
        self.earlier = list(question.history)
        self.game = question.game.remembering(self.earlier, PLIES + 2)
        self.chance_root = question.mover == CHANCE
        self.root_actions = question.actions
        self.bridge = Bridge(question.observer) if question.observer is not None else None
        self.random = [Random(self.options.pop("seed"))] if self.chosen.randomised else []
        self.token = StopToken(question.stop)
        self.nodes = 0
        self.deepest = 0
        self._borrowed: list[tuple[Any, Search]] = []

    def analyse(self) -> Analysis:
        question = self.question
        depth, seconds, deepening = question.depth, question.seconds, question.deepening
        if question.clock is not None:
            seconds = min(math.inf if seconds is None else seconds, question.clock.limits()[0])
        if deepening is None:
            deepening = depth is None and (question.is_limited or not question.by_name)
        if not self.chosen.deepens:
            deepening, depth = False, None
        if depth is None and not question.is_limited:
            seconds = DEFAULT_SECONDS
        search = self._new_search(depth)
        began = time.perf_counter()
        program = self._program(search)
        started = time.perf_counter()
        self.deadline = math.inf if seconds is None else started + seconds
        self.node_limit = UNLIMITED if question.nodes is None else question.nodes
        depths = iter(range(1, (depth or PLIES) + 1)) if deepening else iter([depth or UNLIMITED])
        with self.token:
            found = self._search_to(depths, search, program)
        ended = time.perf_counter()
        self._give_back()
        return self._answer(found, ended - started, started - began)

    # One search after the other.

    def _search_to(self, depths: Iterator[int], search: Search, program: Any) -> _Found:
        """Search to each depth in turn; what the last finished search found, or the last one's part of it."""
        found = None
        for depth in depths:
            try:
                latest = self._search_once(depth, search, program)
            except Stopped:
                break
            if found is None or latest.finished:
                found = latest
            if not latest.finished or latest.exact:
                break
        if found is None:
            found = _Found(self._no_idea(), False, (), [], finished=False, depth=0)
        return found

    def _search_once(self, depth: int, search: Search, program: Any) -> _Found:
        search.limits[DEPTH_LIMIT] = depth
        if self.question.all_moves and not self.chance_root and self.chosen.prunes:
            return self._search_each(depth, search, program)
        self._reset(search)
        try:
            value = self._execute(program, self.state, search)
            finished = True
        except Stopped:
            value, finished = None, False
        moves = self._root_moves(search)
        line = self._line(search)
        if not finished:
            if not line:
                raise Stopped
            best = next(m for m in moves if m.action == line[0])
            assert best.value is not None
            value = best.value
        proven = finished and self._is_proven(value, search)
        return _Found(self._value(value), proven, line, moves, finished, depth)

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
            line = (a, *self._line(search))
            proven = self._is_proven(value, search)
            move = Move(a, self.game.action_name(self.state, a), self._value(value), True, line, proven=proven)
            exact = exact and proven
            moves.append(move)
            if best is None or _component(move.value, self.player) > _component(best.value, self.player):
                best = move
        assert best is not None
        assert best.value is not None
        self.deepest += 1
        finished = len(moves) == len(self.root_actions)
        return _Found(best.value, exact and finished, best.line, moves, finished, depth)

    # The program and its bookkeeping.

    def _program(self, search: Search) -> Any:
        """What runs the search, given a state: compiled, or plain Python."""
        routine = self.chosen.routine
        assert routine is not None
        if self.compiled:
            return routine.compiled(self.game, self.player, search, *self.random)
        return lambda state: routine.run_plain(self.game, state, self.player, search, *self.random)

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
        if not self.compiled or not is_own(kind):  # a user's own bookkeeping may keep what it has learned
            return kind(**settings)  # type: ignore[no-any-return]
        key = (kind, *settings.values())
        search = _spare.pop(key, None) or kind(**settings)
        self._borrowed.append((key, search))
        return search

    def _give_back(self) -> None:
        """Keep the bookkeeping for the next search of the same shape."""
        for key, search in self._borrowed:
            _spare[key] = search
            while len(_spare) > SPARES:
                _spare.pop(next(iter(_spare)))
        self._borrowed.clear()

    def _reset(self, search: Search) -> None:
        for i in range(len(search.counts)):
            search.counts[i] = 0
        search.length[0] = 0
        search.limits[NODE_LIMIT] = self.node_limit - self.nodes
        rewind(self.game, len(self.earlier))

    def _execute(self, program: Any, state: Any, search: Search) -> Any:
        left = self.deadline - time.perf_counter()
        if left <= 0 or self.token.is_set:
            raise Stopped
        seconds = None if left == math.inf else left
        try:
            with self.token.watching(search.stop):
                if self.compiled:
                    return run(lambda: program(state), search.stop, seconds)
                search.stop.deadline = self.deadline
                with plain_python():
                    return run_plain(lambda: program(state), search.stop, seconds, self.token)
        except Abandoned:
            self._borrowed.clear()  # it is still being written to
            raise
        except TooDeep:
            raise TooDeep(
                f"{self.game.title} went on for more than {search.limits[PLY_LIMIT] - 1:,} plies: give a depth, nodes "
                "or seconds"
            ) from None
        except GameError as error:
            led = [self._action(a) for a in search.path[: int(search.counts[FAULT])]]
            raise GameError(f"{self.game.title}, after {named(self.game, self.state, led)}: {error}") from None
        except (ArithmeticError, LookupError, AssertionError, ValueError) as error:
            raise located(self.game, self.state, error) if self.compiled else error from None
        finally:
            self.nodes += int(search.counts[NODES])
            self.deepest = max(self.deepest, int(search.counts[DEEPEST]))
            if self.bridge and self.bridge.error:
                raise self.bridge.error

    # From numbers to answers.

    def _action(self, a: Any) -> Any:
        return int(a) if self.compiled else a

    def _line(self, search: Search) -> tuple[Any, ...]:
        return tuple(self._action(a) for a in search.line[0][: search.length[0]])

    def _value(self, value: Any) -> Value:
        return tuple(float(v) for v in value) if self.chosen.vector else float(value)

    def _no_idea(self) -> Value:
        """The value of a state of which nothing is known, not even its evaluation: time was up before it began."""
        middle = float(Game.evaluate(self.game, self.state, self.player))
        return (middle,) * self.game.players if self.chosen.vector else middle

    def _is_proven(self, value: Any, search: Search) -> bool:
        """Nothing was estimated; or the value is the best, or the worst, possible, and no estimate was as extreme."""
        if search.counts[ESTIMATES] == 0:
            return True
        if self.chosen.vector:
            return False
        low, high = (float(bound) for bound in search.bounds)
        return bool((value == high and search.counts[HIGHEST] == 0) or (value == low and search.counts[LOWEST] == 0))

    def _root_moves(self, search: Search) -> list[Move]:
        """The root's moves with what the search found of each: exact if it was better than those before it."""
        if self.chance_root:
            return []
        moves: list[Move] = []
        best = -math.inf
        for i in range(min(int(search.counts[ROOT_MOVES]), len(search.roots))):
            a = self._action(search.roots[i])
            row = search.root_values[i]
            value: Value = tuple(float(v) for v in row) if self.chosen.vector else float(row[0])
            own = _component(value, self.player)
            exact = not self.chosen.prunes or own > best
            proven = exact and bool(search.counts[ESTIMATES] == 0)
            moves.append(Move(a, self.game.action_name(self.state, a), value, exact, proven=proven))
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
            reason="",
            compiled=self.compiled,
            strategy=self._strategy(found),
        )

    def _strategy(self, found: _Found) -> Strategy | None:
        if self.chosen.name != "and_or" or found.value != 1.0 or self.game.uses_history:
            return None  # if the past matters, a state alone does not determine the move
        game, player, depth = self.game, self.player, found.depth

        def wins(state: Any) -> bool:
            if game.is_terminal(state):
                return game.utility(state, player) >= game.utility_bounds(player)[1]
            search = self._new_search(None)
            self._reset(search)
            search.limits[DEPTH_LIMIT], search.limits[NODE_LIMIT] = depth, UNLIMITED
            self.deadline = math.inf
            return bool(self._execute(self._program(search), state, search) == 1.0)

        def choose(state: Any) -> Any:
            return next((a for a in game.actions(state) if wins(game.result(state, a))), None)

        return Strategy(game, self.state, player, choose)


def _component(value: Value | None, player: int) -> float:
    assert value is not None
    return value[player] if isinstance(value, tuple) else value


def _checked_options(searcher: TextbookSearcher) -> dict[str, Any]:
    for name, value in searcher.options.items():
        least = 0 if name == "seed" else 1
        if not isinstance(value, int) or value < least:
            raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return {**searcher.algorithm.options, **searcher.options}
