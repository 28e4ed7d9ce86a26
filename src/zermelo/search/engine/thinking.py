"""`Engine`: a player that thinks for as long as it is given, remembers what it found, and can be stopped at any time."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import CompileError, GameError, StateError, TooDeep, Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.ordinals import float_of, ordinal
from zermelo.kernel.routine import why_not_fixed_width
from zermelo.kernel.worker import PLIES, Running, Stopped, plain_python, run, run_plain
from zermelo.search.analysis import Analysis, Move
from zermelo.search.driver import listed, require_rules, time_limit, whole_number
from zermelo.search.engine.clock import Clock
from zermelo.search.engine.memory import (
    DEEPEST,
    DEPTH,
    ESTIMATES,
    EXCLUDED,
    EXTENDED_LIMIT,
    FAULT,
    HIGH,
    LOW,
    METHOD,
    NODE_LIMIT,
    NODES,
    ROOT_HINT,
    ROOT_INDEX,
    ROOT_SCORE,
    SALT,
    Memory,
)
from zermelo.search.engine.options import Options, options_from
from zermelo.search.engine.scores import TOP, WIN, WINS
from zermelo.search.engine.table import AGE, AGES, MASK, MOST, REPLACEMENTS, RULE
from zermelo.search.engine.windows import ASK, MTDF, MTDF_AFRESH, WINDOW

UNLIMITED = 1 << 62
TO_THE_END = 1 << 20
"""A depth that no game reaches."""
MOST_PLIES = 2048
"""The deepest line that the engine follows."""
WARM_UP = 8
"""To what depth the engine looks before it proves to the end, where an evaluation can order the moves."""
SALTS = 0x5DEECE66D1234567


@dataclass(frozen=True)
class Progress:
    """What the engine has found so far, told after each depth."""

    depth: int
    value: float
    distance: int | None
    exact: bool
    line: tuple[Any, ...]
    nodes: int
    seconds: float

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class Solved:
    """The proven value of one of many positions, for the player to move."""

    value: float
    distance: int | None  # plies to the win or the loss
    action: Any


@dataclass(frozen=True)
class _Found:
    """One line: its score, its moves, and whether it is proven."""

    score: int
    line: tuple[Any, ...]
    exact: bool


class Engine:
    """The engine for one game: `think` finds a move in limited time, `solve` proves.

    table     MiB for the transposition table; 0 for none
    threads   how many searches work side by side on that table
    options   techniques, on or off: see `Options`
    """

    def __init__(
        self, game: Game, *, table: float = 64, threads: int = 1, compile: bool | None = None, **options: Any
    ):
        if not isinstance(game, Game):
            raise GameError(f"{game!r} is not a Game: derive its class from zermelo.Game, and pass an instance")
        require_rules(game)
        require_two_sides(game)
        if not isinstance(table, int | float) or not 0 <= table < math.inf:
            raise ValueError(f"table must be a number of MiB of at least 0, not {table!r}")
        if not isinstance(threads, int) or not 1 <= threads <= 256:
            raise ValueError(f"threads must be a whole number from 1 to 256, not {threads!r}")
        reason = why_not_fixed_width(type(game.initial()))
        if reason is not None and compile:
            raise CompileError(f"{game.name} cannot be compiled: {reason}")
        self.game = game
        self.options = options_from(options).checked(game)
        self.has_table = table > 0
        self.compiled = reason is None and compile is not False
        if threads > 1 and not self.compiled:
            raise Unsuitable(f"{game.name} runs as plain Python, which has one thread at a time: threads must be 1")
        first = Memory(game, 0, None, table, compiled=self.compiled, plies=MOST_PLIES)
        others = (Memory(game, 0, first, 0, compiled=self.compiled, plies=MOST_PLIES) for _ in range(threads - 1))
        self.memories = [first, *others]
        first.policy[RULE] = REPLACEMENTS[self.options.replacement]
        if threads > 1:
            first.policy[MASK] = first.policy[MOST]  # a table that others read does not move
        for memory in self.memories:
            self.options.switch(memory.switches, self.has_table)
        self._thinking = threading.Lock()
        self._stop = threading.Event()
        self._deadline = math.inf

    # What people call.

    def think(
        self,
        state: Any = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        clock: Clock | None = None,
        lines: int = 1,
        history: Iterable[Any] = (),
        on_progress: Callable[[Progress], Any] | None = None,
    ) -> Analysis:
        """The best move within the limits; with none of them, within 10 seconds.

        depth         how many plies to look ahead
        nodes         how many states to visit at most
        seconds       how long to think at most; math.inf until `stop` is called, or nothing is left to find out
        clock         how much time is left, of which the engine takes a share
        lines         how many of the best moves to give, each with its value and its line
        history       the states before this one, for games whose rules ask about repetition
        on_progress   is told after each depth
        """
        depth = whole_number("depth", depth)
        return self._think(_Task(self, state, history, depth, nodes, seconds, clock, lines, on_progress), depth)

    def solve(
        self,
        state: Any = None,
        *,
        seconds: float | None = math.inf,
        nodes: int | None = None,
        history: Iterable[Any] = (),
        on_progress: Callable[[Progress], Any] | None = None,
    ) -> Analysis:
        """The proven value, and a line that keeps it; where a limit is reached, the best that was found."""
        task = _Task(self, state, history, None, nodes, seconds, None, 1, on_progress)
        return self._think(task, None, prove=True)

    def solve_many(self, states: Iterable[Any], on_progress: Callable[[int], Any] | None = None) -> list[Solved]:
        """The proven values of many positions, none of which is over; each with a table of its own, which is small."""
        kind = type(self.game.initial())
        states = list(states)
        for number, s in enumerate(states):
            if type(s) is not kind:
                raise StateError(f"number {number}, {s!r}, is not a {kind.__name__}")
        memory = self.memories[0]
        with self._turn():
            self._prepare(memory, 0)
            memory.limits[DEPTH], memory.limits[LOW] = TO_THE_END, 0
            memory.limits[METHOD] = MTDF_AFRESH if len(self.memories) == 1 else MTDF
            memory.limits[NODE_LIMIT] = UNLIMITED
            program = self._program(self.game, memory)
            found: list[tuple[int, Any]] = []

            def job() -> None:
                for s in states:
                    score = program(s)
                    found.append((score, memory.line[0, 0] if memory.length[0] else None))

            running = threading.Event()
            if on_progress is not None:
                threading.Thread(target=_report, args=(found, running, on_progress), daemon=True).start()
            try:
                self._run(job, memory, None)
            finally:
                running.set()
        return [Solved(*self._value(score), self._action(move)) for score, move in found]

    def start(self, state: Any = None, **limits: Any) -> Thinking:
        """Think in the background: for pondering, and for a user who will say when it is enough."""
        return Thinking(self, state, limits)

    def stop(self) -> None:
        """End the search that is under way, from whatever thread: it answers with the best that it has found."""
        self._stop.set()
        for memory in self.memories:
            memory.stop[0] = 1

    def clear(self) -> None:
        """Forget everything: the table, and what was learned about the order of moves."""
        with self._turn():
            for memory in self.memories:
                memory.history[:] = 0
                memory.killers[:] = -1
                memory.counters[:] = -1
            self.memories[0].clear()
            if len(self.memories) > 1:
                self.memories[0].policy[MASK] = self.memories[0].policy[MOST]

    # How it is done.

    def _turn(self) -> _Turn:
        return _Turn(self)

    def _think(self, task: _Task, depth: int | None, prove: bool = False) -> Analysis:
        with self._turn():
            task.begin()
            if prove:
                found, reached = task.prove()
            else:
                found, reached = task.deepen(depth)
            return task.answer(found, reached)

    def _program(self, game: Game, memory: Memory) -> Callable[[Any], Any]:
        if self.compiled:
            return ASK.compiled(game, memory)
        return lambda state: ASK.run_plain(game, state, memory)

    def _prepare(self, memory: Memory, salt: int) -> None:
        for i in range(len(memory.counts)):
            memory.counts[i] = 0
        memory.stop[0] = 0
        memory.length[0] = 0
        memory.limits[EXCLUDED], memory.limits[SALT], memory.limits[ROOT_HINT] = 0, salt, -1
        memory.killers[:] = -1

    def _run(self, job: Callable[[], Any], memory: Memory, seconds: float | None) -> Any:
        if self._stop.is_set():
            raise Stopped
        if self.compiled:
            return run(job, memory.stop, seconds)
        memory.stop.deadline = math.inf if seconds is None else time.perf_counter() + seconds
        with plain_python():
            return run_plain(job, memory.stop, seconds)

    def _value(self, score: int) -> tuple[float, int | None]:
        """A score as a value, and the plies to the win or loss that it is."""
        memory = self.memories[0]
        if score >= WINS:
            return memory.high, WIN - score
        if score <= -WINS:
            return memory.low, WIN + score
        return float_of(score), None

    def _action(self, a: Any) -> Any:
        return int(a) if self.compiled and a is not None else a


class _Turn:
    """One search at a time: a second one waits for the first."""

    def __init__(self, engine: Engine):
        self.engine = engine

    def __enter__(self) -> None:
        self.engine._thinking.acquire()
        self.engine._stop.clear()
        self.engine._deadline = math.inf

    def __exit__(self, *_: object) -> None:
        self.engine._thinking.release()


class _Task:
    """One call of `think` or `solve`, once it has been checked."""

    def __init__(
        self,
        engine: Engine,
        state: Any,
        history: Iterable[Any],
        depth: int | None,
        nodes: int | None,
        seconds: float | None,
        clock: Clock | None,
        lines: int,
        on_progress: Callable[[Progress], Any] | None,
    ):
        game = engine.game
        self.engine, self.on_progress, self.clock = engine, on_progress, clock
        self.lines = whole_number("lines", lines) or 1
        self.node_limit = whole_number("nodes", nodes) or UNLIMITED
        self.seconds = None if seconds == math.inf else time_limit(seconds)
        if seconds is None and clock is None and nodes is None and depth is None:
            self.seconds = 10.0
        self.state = game.initial() if state is None else game.checked(state)
        earlier = list(history)
        here = game.remembering([*earlier, self.state])
        if here.is_terminal(self.state):
            worth = ", ".join(f"{game.utility(self.state, p):g}" for p in range(game.players))
            raise StateError(f"the game of {game.name} is over in this state, at ({worth}): there is no move to find")
        self.player = game.to_move(self.state)
        if not 0 <= self.player < game.players:
            raise GameError(f"to_move gives {self.player}, but {game.name} has players 0 to {game.players - 1}")
        self.actions = listed(here, self.state)
        if not self.actions:
            raise GameError(f"{game.name} has no legal moves in a state that is not terminal: {self.state!r}")
        self.games = [game.remembering(earlier, MOST_PLIES + 2) for _ in engine.memories]
        self.past = len(earlier)
        self.nodes = 0
        self.deepest = 0

    def begin(self) -> None:
        engine = self.engine
        started = time.perf_counter()
        low, high = engine.memories[0].low, engine.memories[0].high
        alike = low == -high and not engine.memories[0].has_evaluation
        salt = 0 if alike else (self.player + 1) * SALTS & (1 << 62) - 1
        for memory in engine.memories:
            engine._prepare(memory, salt)
            memory.history[:] >>= 1
            memory.limits[METHOD] = MTDF if engine.options.mtdf else WINDOW
        policy = engine.memories[0].policy
        policy[AGE] = (policy[AGE] + 1) % AGES
        self.programs = [engine._program(*pair) for pair in zip(self.games, engine.memories, strict=True)]
        self.started = time.perf_counter()
        self.compile_seconds = self.started - started
        self.soft = math.inf
        hard = math.inf if self.seconds is None else self.seconds
        if self.clock is not None:
            self.soft, most = self.clock.limits()
            hard = min(hard, most)
        engine._deadline = min(engine._deadline, self.started + hard)

    # Deepening.

    def deepen(self, depth: int | None) -> tuple[list[_Found], int]:
        """Depth 1, then 2, and so on; what the deepest finished search found, or the next one so far."""
        best: list[_Found] = []
        reached = 0
        for current in range(1, min(depth or MOST_PLIES - 64, MOST_PLIES - 64) + 1):
            lines, finished = self.search_lines(current, best)
            if lines and (finished or not best or lines[0].line):
                best = lines + best[len(lines) :] if not finished else lines
            if not finished:
                break
            reached = current
            self.tell(current, best)
            if all(line.exact and _is_near(line.score, current) for line in best) or self.is_enough(best):
                break
        return best, reached

    def is_enough(self, best: list[_Found]) -> bool:
        """Is it time to move, by the clock?"""
        if self.engine._stop.is_set() or self.nodes >= self.node_limit:
            return True
        if self.clock is None:
            return False
        decided = len(self.actions) == 1 or (best[0].exact and best[0].score >= WINS)
        return decided or time.perf_counter() - self.started > self.soft

    def search_lines(self, depth: int, before: list[_Found]) -> tuple[list[_Found], bool]:
        """The best lines to this depth, each without the first moves of those before it; and whether all were found."""
        lines: list[_Found] = []
        wanted = min(self.lines, len(self.actions))
        for i in range(wanted):
            for memory in self.engine.memories:
                memory.limits[EXCLUDED] = i
                for j, line in enumerate(lines):
                    memory.excluded[j] = line.line[0]
            guess = before[i].score if i < len(before) else None
            found, finished = self.search_window(depth, guess)
            if found is not None:
                lines.append(found)
            if not finished:
                return lines, False
        lines.sort(key=lambda line: -line.score)
        return lines, True

    def search_window(self, depth: int, guess: int | None) -> tuple[_Found | None, bool]:
        """One search to this depth, in a window around the guess that is widened until it holds the score."""
        memory = self.engine.memories[0]
        if self.engine.options.mtdf:
            return self.search_once(depth, guess or 0, TOP)
        narrow = self.engine.options.aspiration and guess is not None and -WINS < guess < WINS and depth > 3
        width = 2 * memory.unit
        low, high = -TOP, TOP
        while True:
            if narrow:
                assert guess is not None
                low = max(ordinal(float_of(guess) - width), -TOP) if low > -TOP or width < 3 * memory.unit else -TOP
                high = ordinal(float_of(guess) + width) if high < TOP or width < 3 * memory.unit else TOP
            found, finished = self.search_once(depth, low, high)
            if not finished or found is None or (low < found.score < high) or not narrow:
                if not finished and found is not None and found.score <= low:
                    found = None  # nothing has been as good as hoped, so this says little
                return found, finished
            if found.score <= low:
                low = -TOP
            else:
                high = TOP
            width *= 4
            narrow = width < 20 * memory.unit
            if not narrow:
                low, high = -TOP, TOP

    def search_once(self, depth: int, low: int, high: int) -> tuple[_Found | None, bool]:
        """One search on all threads; what it found, and whether it came to its end."""
        engine = self.engine
        helpers = []
        for number, memory in enumerate(engine.memories):
            for i in range(len(memory.counts)):
                memory.counts[i] = 0
            memory.length[0] = 0
            memory.limits[DEPTH] = depth + (number & 1 if depth < TO_THE_END else 0)
            memory.limits[LOW], memory.limits[HIGH] = low, high
            memory.limits[EXTENDED_LIMIT] = min(2 * depth, MOST_PLIES)
            memory.limits[NODE_LIMIT] = self.node_limit - self.nodes
            if not engine._stop.is_set():
                memory.stop[0] = 0
            if self.games[number].uses_history:
                self.games[number].history_length[0] = self.past
        for program in self.programs[1:]:
            helpers.append(Running(lambda program=program: program(self.state)))
        memory = engine.memories[0]
        try:
            score = self.execute()
            finished = True
        except Stopped:
            score, finished = None, False
        finally:
            for helper, other in zip(helpers, engine.memories[1:], strict=True):
                other.stop[0] = 1
                try:
                    helper.wait(other.stop)
                except Stopped:
                    pass
                self.nodes += int(other.counts[NODES])
        self.nodes += int(memory.counts[NODES])
        self.deepest = max(self.deepest, int(memory.counts[DEEPEST]))
        line = tuple(engine._action(a) for a in memory.line[0][: int(memory.length[0])])
        if not finished:
            if not line or self.engine.options.mtdf or memory.limits[METHOD] == MTDF:
                return None, False
            return _Found(int(memory.counts[ROOT_SCORE]), line, False), False
        for other in engine.memories:
            other.limits[ROOT_HINT] = memory.counts[ROOT_INDEX]
        return _Found(int(score), line or (self.actions[0],), self.is_proven(int(score), memory)), True

    def is_proven(self, score: int, memory: Memory) -> bool:
        """Was nothing estimated; or is it a win or a loss, of which none is ever estimated?"""
        if self.engine.game.uses_history and self.engine.has_table:
            return False  # the table does not know by which way a position was reached
        return int(memory.counts[ESTIMATES]) == 0 or (self.engine.options.is_sound and abs(score) >= WINS)

    def execute(self) -> Any:
        engine = self.engine
        memory = engine.memories[0]
        left = engine._deadline - time.perf_counter()
        if left <= 0:
            raise Stopped
        program = self.programs[0]
        try:
            return engine._run(lambda: program(self.state), memory, None if left == math.inf else left)
        except TooDeep:
            raise TooDeep(
                f"{engine.game.name} went on for more than {MOST_PLIES - 1:,} plies: give a depth, nodes or seconds"
            ) from None
        except GameError as error:
            raise GameError(f"{engine.game.name}, after {self.path(memory)}: {error}") from None

    # Proving.

    def prove(self) -> tuple[list[_Found], int]:
        """The value by windows of no width, to the end of the game; where moves can be evaluated, after a look at them."""
        engine = self.engine
        best: list[_Found] = []
        reached = 0
        if engine.memories[0].has_evaluation and engine.has_table:
            best, reached = self.deepen(WARM_UP)
            if best and best[0].exact:
                return best, reached
        for memory in engine.memories:
            memory.limits[METHOD] = MTDF
        guess = best[0].score if best else 0
        found, finished = self.search_once(TO_THE_END, guess, TOP)
        if finished and found is not None:
            best = [_Found(found.score, self.proven_line(found), found.exact)]
            reached = self.deepest
            self.tell(reached, best)
        return best, reached

    def proven_line(self, found: _Found) -> tuple[Any, ...]:
        """The line that both sides keep their value by, move by move, as far as the time allows."""
        game, s = self.engine.game, self.state
        line: list[Any] = []
        score, move = found.score, found.line[0]
        root = self.state
        sign = 1
        while True:
            line.append(move)
            s = game.result(s, move)
            if game.is_terminal(s) or len(line) >= 200 or game.uses_history:
                break
            player = game.to_move(s)
            sign = 1 if game.side(player) == game.side(self.player) else -1
            n = WIN - abs(score) - len(line) if abs(score) >= WINS else 0
            expected = sign * (score if abs(score) < WINS else (WIN - n if score > 0 else n - WIN))
            self.state, kept = s, self.player
            self.player = player
            step, finished = self.search_once(TO_THE_END, expected, TOP)
            self.state, self.player = root, kept
            if not finished or step is None:
                break
            move = step.line[0]
        return tuple(line)

    # The answer.

    def tell(self, depth: int, best: list[_Found]) -> None:
        if self.on_progress is None or not best:
            return
        value, distance = self.engine._value(best[0].score)
        self.on_progress(
            Progress(
                depth, value, distance, best[0].exact, best[0].line, self.nodes, time.perf_counter() - self.started
            )
        )

    def answer(self, found: list[_Found], reached: int) -> Analysis:
        engine, game = self.engine, self.engine.game
        seconds = time.perf_counter() - self.started
        if not found:  # time was up before anything was searched
            found = [_Found(ordinal(Game.evaluate(game, self.state, self.player)), (self.actions[0],), False)]
        moves = []
        for line in found:
            value, distance = engine._value(line.score)
            name = game.action_name(self.state, line.line[0])
            moves.append(Move(line.line[0], name, value, True, line.line, distance))
        seen = {move.action for move in moves}
        moves += [Move(a, game.action_name(self.state, a), None, False) for a in self.actions if a not in seen]
        value, distance = engine._value(found[0].score)
        return Analysis(
            game=game,
            state=self.state,
            player=self.player,
            action=found[0].line[0],
            value=value,
            exact=found[0].exact,
            line=found[0].line,
            moves=tuple(moves),
            nodes=self.nodes,
            depth=reached,
            seconds=seconds,
            compile_seconds=self.compile_seconds,
            algorithm="mtdf" if engine.options.mtdf else "engine",
            reason="two sides, no chance, nothing hidden",
            compiled=engine.compiled,
            distance=distance,
        )

    def path(self, memory: Memory) -> str:
        """The moves that led to the state in which the rules went wrong."""
        game, s, names = self.engine.game, self.state, []
        try:
            for a in memory.path[: int(memory.counts[FAULT])]:
                a = self.engine._action(a)
                names.append(game.action_name(s, a))
                s = game.result(s, a)
        except Exception:
            pass
        return " ".join(names) or "no moves"


class Thinking:
    """A search in the background, which can be asked, limited and stopped."""

    def __init__(self, engine: Engine, state: Any, limits: dict[str, Any]):
        self.engine = engine
        self.latest: Progress | None = None
        self._outcome: list[Any] = []
        told = limits.pop("on_progress", None)
        limits.setdefault("seconds", math.inf)

        def follow(progress: Progress) -> None:
            self.latest = progress
            if told is not None:
                told(progress)

        def job() -> None:
            try:
                self._outcome.append((engine.think(state, on_progress=follow, **limits), None))
            except BaseException as error:
                self._outcome.append((None, error))

        self._thread = threading.Thread(target=job, name="zermelo-thinking", daemon=True)
        self._thread.start()

    def limit(self, seconds: float) -> None:
        """Give it so many more seconds from now: the opponent has played the move that it was thinking about."""
        deadline = time.perf_counter() + seconds
        self.engine._deadline = min(self.engine._deadline, deadline)
        timer = threading.Timer(seconds, self._expire)
        timer.daemon = True
        timer.start()

    def _expire(self) -> None:
        if self._thread.is_alive():
            self.engine.stop()

    def is_over(self) -> bool:
        """Has it come to its end?"""
        return not self._thread.is_alive()

    def result(self, timeout: float | None = None) -> Analysis:
        """Wait for the answer."""
        self._thread.join(timeout)
        if self._thread.is_alive():
            raise TimeoutError("still thinking")
        analysis, error = self._outcome[0]
        if error is not None:
            raise error
        return analysis  # type: ignore[no-any-return]

    def stop(self) -> Analysis:
        """End it, and give the best that it has found."""
        while self._thread.is_alive():
            self.engine.stop()  # again, should it only just be beginning
            self._thread.join(0.01)
        return self.result()


def require_two_sides(game: Game) -> None:
    """Raise Unsuitable where the engine cannot play the game."""
    traits = game.traits
    if traits.hidden or traits.chance or traits.sides > 2 or (traits.sides == 2 and not traits.zero_sum):
        raise Unsuitable(
            f"the engine does not suit {game.name}: it plays games of at most two sides, zero-sum, without chance and "
            f"with nothing hidden, and this is a game of {traits}"
        )


def _is_near(score: int, depth: int) -> bool:
    """Is a win or a loss so near that the search would have seen a nearer one?"""
    return abs(score) < WINS or WIN - abs(score) <= depth


def _report(found: list[Any], done: threading.Event, on_progress: Callable[[int], Any]) -> None:
    while not done.wait(0.2):
        on_progress(len(found))
