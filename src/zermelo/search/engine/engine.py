"""`Engine`: it thinks within limits, remembers what it found, and can be stopped at any time."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from array import array
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from zermelo.game.errors import CompileError, GameError, StateError, TooDeep, Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of
from zermelo.kernel.ordinals import float_of, ordinal, signed
from zermelo.kernel.routine import why_not_fixed_width
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Stopped, plain_python, run, run_plain
from zermelo.lookup.probing import DAMAGED, Prober, Tables, open_tables
from zermelo.search.analysis import Analysis
from zermelo.search.bookkeeping import FAULT, NODE_LIMIT, NODES
from zermelo.search.checks import UNLIMITED, named, require_rules, require_two_sides, whole_number
from zermelo.search.engine import proving
from zermelo.search.engine.answers import Counts, Progress, Solved
from zermelo.search.engine.background import Thinking
from zermelo.search.engine.clock import Clock
from zermelo.search.engine.deepening import count, deepen
from zermelo.search.engine.explain import Explanation, explain
from zermelo.search.engine.memory import Memory
from zermelo.search.engine.options import options_from
from zermelo.search.engine.ranges import DRAWN
from zermelo.search.engine.reporting import answer
from zermelo.search.engine.scores import WIN, WINS
from zermelo.search.engine.switches import DEPTH, EXCLUDED, LOW, METHOD, RECALL, ROOT_HINT, SALT, TABLE_FIRST
from zermelo.search.engine.table import BUCKET, FILLED, MASK, MOST, REPLACEMENTS, RULE, SMALLEST
from zermelo.search.engine.task import MOST_PLIES, TO_THE_END, TOO_DEEP, Task
from zermelo.search.engine.windows import ASK, MTDF_AFRESH

RECALL_NODES = 10_000
"""After how many nodes the known positions are stored in the table again."""


class Engine:
    """The engine for one game: `think` finds a move in limited time, `solve` proves the value.

    game      a game, its name, or a file such as "mygame.py:MyGame"
    table     MiB for the transposition table; 0 for none
    threads   how many threads search in parallel, sharing that table
    endgames  endgame tables to use; by default those that are built, see `zermelo table`; False for none
    options   techniques, on or off: see `Options`
    """

    def __init__(
        self,
        game: Game | str,
        *,
        table: float = 64,
        threads: int = 1,
        endgames: Tables | bool = True,
        compile: bool | None = None,
        **options: Any,
    ):
        game = game_of(game)
        require_rules(game)
        require_two_sides("the engine", game)
        if not isinstance(table, int | float) or not 0 <= table < math.inf:
            raise ValueError(f"table must be a number of MiB of at least 0, not {table!r}")
        if not isinstance(threads, int) or not 1 <= threads <= 256:
            raise ValueError(f"threads must be a whole number from 1 to 256, not {threads!r}")
        if not isinstance(endgames, bool | Tables):
            raise ValueError(f"endgames must be True, False or the Tables to use, not {endgames!r}")
        reason = why_not_fixed_width(type(game.initial()))
        if reason is not None and compile:
            raise CompileError(f"{game.name} cannot be compiled: {reason}")
        self.game = game
        self.options = options_from(options).checked(game)
        self.has_table = table > 0
        self.compiled = reason is None and compile is not False
        if threads > 1 and not self.compiled:
            raise Unsuitable(f"{game.title} runs as plain Python, which has one thread at a time: threads must be 1")
        self.threads = threads
        self.endgames = open_tables(game) if endgames is True else endgames or None
        self.memories = self._new_memories(None, table)
        policy = self.memories[0].policy
        policy[RULE] = REPLACEMENTS[self.options.replacement]
        if threads > 1:
            policy[MASK] = policy[MOST]  # a table that several threads share does not grow
        self._proving: list[Memory] = []
        self._finishing: list[Memory] = []
        self._ranges = [(float(low), float(high)) for low, high, _ in self.memories[0].ranges]
        self._known: dict[int, int] = {}
        self._thinking = threading.Lock()
        self._thinker: int | None = None
        self._stop = StopToken()  # of the search that is running
        self._switching = threading.RLock()  # held while `_stop` is replaced
        self._deadline = math.inf
        self._recalled: int | None = None  # the salt of the known positions that are in the table
        self._searched_since_recall = 0
        self.know(game.solved_positions())

    def _new_memories(
        self, shared: Memory | None, table: float, *, horizon: bool = True, proving: bool = False
    ) -> list[Memory]:
        made: list[Memory] = []
        for _ in range(self.threads):
            memory = Memory(
                self.game,
                shared,
                table,
                compiled=self.compiled,
                plies=MOST_PLIES,
                horizon=horizon,
                prober=self._new_prober(),
            )
            own_promise = self.game.offers("promise")
            self.options.switch(memory.switches, self.has_table, proving, own_promise)
            shared = shared or memory
            made.append(memory)
        return made

    def _new_prober(self) -> Prober | None:
        return None if self.endgames is None else self.endgames.prober.another()

    def _require_intact(self) -> None:
        """Raise DamagedTable if a search has met a damaged block of an endgame table."""
        if self.endgames is not None:
            for memory in self._all_memories:
                if memory.prober.counts[DAMAGED] != 0:
                    raise self.endgames.damage(int(memory.prober.counts[DAMAGED]))

    @property
    def proving(self) -> list[Memory]:
        """Memories for `solve`: their program has no horizon, which makes proofs about 8 % faster."""
        if not self._proving:
            self._proving = self._new_memories(self.memories[0], 0, horizon=False, proving=True)
        return self._proving

    @property
    def finishing(self) -> list[Memory]:
        """Memories for a proof within `think`: for the program of `solve` if it is compiled, or else of `think`.

        A second program would take longer to compile than most searches take.
        """
        if self._proving:
            return self._proving
        if not self._finishing:
            self._finishing = self._new_memories(self.memories[0], 0, proving=True)
        return self._finishing

    @property
    def _all_memories(self) -> list[Memory]:
        return [*self.memories, *self._proving, *self._finishing]

    # The public methods.

    def know(self, positions: Iterable[tuple[int, float, int | None]]) -> None:
        """Add solved positions: the canonical key, the value for the mover, and the distance to a win or loss."""
        for key, value, distance in positions:
            low, high = self._ranges[0]
            if low != -high:
                raise ValueError(
                    f"known positions need utilities that are symmetric around 0, not from {low:g} to {high:g}"
                )
            if not 0 <= key < 1 << 64 or not low <= value <= high or (distance is not None and abs(value) != high):
                raise ValueError(
                    f"({key}, {value}, {distance}) is not a solved position: key, value, and plies to a win or loss"
                )
            score = ordinal(value) if distance is None else WIN - distance if value == high else distance - WIN
            self._known[key] = score
        self._recalled = None
        rows = [(signed(key), score) for key, score in self._known.items()]
        known = np.array(rows, np.int64).reshape(-1, 2) if self.compiled else rows
        for memory in self._all_memories:
            memory.known = known

    def think(
        self,
        state: Any = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        clock: Clock | None = None,
        lines: int = 1,
        moves: Iterable[Any] | None = None,
        history: Iterable[Any] = (),
        on_progress: Callable[[Progress], Any] | None = None,
        stop: StopToken | None = None,
    ) -> Analysis:
        """The best move within the limits; without limits, within 10 seconds.

        depth         the greatest depth, in plies
        nodes         the most states to visit
        seconds       the most seconds to think; math.inf: until it is stopped, or the value is proven
        clock         a chess clock, of whose time the engine takes a share
        lines         how many of the best moves to return, each with its value and its line
        moves         the moves to choose from; by default all legal moves
        history       the states before this one, for games whose rules ask about repetition
        on_progress   called with a Progress after each depth
        stop          a token that ends the search when it is stopped
        """
        depth = whole_number("depth", depth)
        task = Task(
            self,
            state,
            depth=depth,
            nodes=nodes,
            seconds=seconds,
            clock=clock,
            lines=lines,
            moves=moves,
            history=history,
            on_progress=on_progress,
            stop=stop,
        )
        return self._think(task, depth)

    def explain(self, state: Any = None, *, alternatives: int = 4, **limits: Any) -> Explanation:
        """Why the best move is best: its line, the other moves and their refutations, and where the values come from.

        The limits are those of `think`.
        """
        task = Task(self, state, lines=alternatives + 1, **limits)
        analysis = self._think(task, whole_number("depth", limits.get("depth")))
        return explain(self, analysis, task.totals["quiescent"], task.totals["table_cuts"], task.totals["endgames"])

    def solve(
        self,
        state: Any = None,
        *,
        seconds: float | None = math.inf,
        nodes: int | None = None,
        history: Iterable[Any] = (),
        on_progress: Callable[[Progress], Any] | None = None,
        stop: StopToken | None = None,
    ) -> Analysis:
        """The proven value, and a line that keeps it; if a limit is reached first, the best that was found."""
        task = Task(self, state, nodes=nodes, seconds=seconds, history=history, on_progress=on_progress, stop=stop)
        return self._think(task, None, prove=True)

    def search(self, state: Any = None, *, depth: int, deepening: bool = False, history: Iterable[Any] = ()) -> Counts:
        """The value at exactly this depth, and the cost of finding it, with or without iterative deepening.

        A depth means the same as for minimax if strict_depth is on, and quiescence, forced and singular are off.
        """
        wanted = whole_number("depth", depth)
        if wanted is None:
            raise ValueError("search needs a depth")
        task = Task(self, state, depth=wanted, history=history)
        with self._turn():
            task.begin()
            return count(task, wanted, deepening)

    def solve_many(self, states: Iterable[Any], on_progress: Callable[[int], Any] | None = None) -> list[Solved]:
        """The proven values of many positions that are not terminal, each solved with a small table of its own.

        If it is stopped, returns the values found so far, in order.
        """
        game = self.game
        if game.uses_history and self.has_table:
            raise Unsuitable(f"{game.title} asks about repetition, which the table ignores: solve_many needs table=0")
        kind = type(game.initial())
        states = list(states)
        for number, s in enumerate(states):
            if type(s) is not kind:
                raise StateError(f"number {number}, {s!r}, is not a {kind.__name__}")
        with self._turn():
            memory = self.proving[0]
            self._prepare(memory, 0)
            memory.limits[DEPTH], memory.limits[LOW], memory.limits[METHOD] = TO_THE_END, 0, MTDF_AFRESH
            memory.limits[NODE_LIMIT] = UNLIMITED
            memory.switches[TABLE_FIRST] = 0  # a small table has few answers
            program = self._program(game.remembering((), MOST_PLIES + 2), memory)
            found: list[tuple[int, Any]] = []
            first_move = memory.line.item  # the fastest way to read a number from an array

            def job() -> None:
                for s in states:
                    found.append((program(s), first_move(0)))

            running = threading.Event()
            if on_progress is not None:
                threading.Thread(target=_report, args=(found, running, on_progress), daemon=True).start()
            try:
                with contextlib.suppress(Stopped):
                    self._run(job, memory, None)
            except StateError:
                number = len(found)
                raise StateError(f"number {number}: the game of {game.title} is over in {states[number]!r}") from None
            except GameError as error:
                number = len(found)
                led = self._led(memory, states[number])
                raise GameError(f"number {number}: {game.title}, after {led}: {error}") from None
            except TooDeep:
                raise TooDeep(f"number {len(found)}: {game.title} {TOO_DEEP}") from None
            finally:
                running.set()
                memory.switches[TABLE_FIRST] = self.options.table_first
                self._empty_table()
        alike = len(set(self._ranges)) == 1
        return [
            Solved(*self._value(score, 0 if alike else game.to_move(s)), move)
            for s, (score, move) in zip(states, found, strict=False)
        ]

    def start(self, state: Any = None, *, prove: bool = False, **limits: Any) -> Thinking:
        """Think, or prove, in the background: for pondering, and for searches that the user stops."""
        return Thinking(self, state, limits, prove)

    @property
    def visited(self) -> int:
        """How many states the current search has visited, on all threads."""
        return sum(int(memory.counts[NODES]) for memory in self._all_memories)

    @property
    def table_use(self) -> float:
        """The share of the table that is filled."""
        policy = self.memories[0].policy
        return min(int(policy[FILLED]) / (BUCKET * (int(policy[MOST]) + 1)), 1.0)

    def stop(self) -> None:
        """Stop the current search, from any thread: it returns the best that it has found."""
        self._stop.stop()

    def _raise_flags(self, token: StopToken) -> None:
        """Stop the search of this token. Its action may run late, when another search has begun."""
        with self._switching:
            if self._stop is token:
                for memory in self._all_memories:
                    memory.stop[0] = 1

    def clear(self) -> None:
        """Clear the table, and what was learned about the order of moves."""
        with self._turn():
            for memory in self._all_memories:
                memory.forget_ordering()
                memory.forget_evaluations()
            self._empty_table()

    # Internals.

    def _empty_table(self) -> None:
        memory = self.memories[0]
        used = 2 * BUCKET * (memory.policy[MASK] + 1)
        memory.entries[:used] = np.zeros(used, np.int64) if self.compiled else array("q", bytes(8 * used))
        memory.policy[MASK] = memory.policy[MOST] if self.threads > 1 else min(SMALLEST, memory.policy[MOST])
        memory.policy[FILLED] = 0
        self._recalled = None

    def _needs_recall(self, salt: int) -> bool:
        """Should the known positions be stored in the table again? Only if the search may have displaced some."""
        if not self.has_table:
            return False
        if self._recalled == salt and self._searched_since_recall < RECALL_NODES:
            return False
        self._recalled, self._searched_since_recall = salt, 0
        return True

    def _forsake(self) -> None:
        """A search was abandoned in a method that does not return, and may still write to its memory: use new ones."""
        self.memories = self._new_memories(self.memories[0], 0)
        self._proving, self._finishing = [], []

    def _turn(self, stop: StopToken | None = None) -> _Turn:
        return _Turn(self, stop)

    def _think(self, task: Task, depth: int | None, prove: bool = False) -> Analysis:
        with self._turn(task.stop):
            task.begin(prove)
            if prove:
                found, reached = proving.prove(task)
            else:
                found, reached = deepen(task, depth)
            return answer(task, found, reached)

    def _program(self, game: Game, memory: Memory) -> Callable[[Any], Any]:
        if self.compiled:
            return ASK.compiled(game, memory)
        return lambda state: ASK.run_plain(game, state, memory)

    def _prepare(self, memory: Memory, salt: int) -> None:
        for i in range(len(memory.counts)):
            memory.counts[i] = 0
        self._stop.clear(memory.stop)
        memory.length[0] = 0
        memory.limits[EXCLUDED], memory.limits[SALT], memory.limits[ROOT_HINT] = 0, salt, 0
        memory.limits[RECALL] = 0
        memory.killers[:] = -1

    def _run(self, job: Callable[[], Any], memory: Memory, seconds: float | None) -> Any:
        if self._stop.is_set:
            raise Stopped
        if self.compiled:
            return run(job, memory.stop, seconds)
        memory.stop.deadline = math.inf if seconds is None else time.perf_counter() + seconds
        with plain_python():
            return run_plain(job, memory.stop, seconds, self._stop)

    def _value(self, score: int, player: int) -> tuple[float, int | None]:
        """A score as this player's value, and the plies to the win or loss if it is one."""
        if score >= WINS:
            return self._ranges[player][1], WIN - score
        if score <= -WINS:
            return self._ranges[player][0], WIN + score
        value = float_of(score)
        drawn = self.endgames is not None and abs(value) <= DRAWN * self._ranges[player][1]
        return 0.0 if drawn else value, None

    def _led(self, memory: Memory, state: Any) -> str:
        """The moves from the state to the one with the fault in the rules."""
        return named(self.game, state, [self._action(a) for a in memory.path[: int(memory.counts[FAULT])]])

    def _action(self, a: Any) -> Any:
        return int(a) if self.compiled and a is not None else a


class _Turn:
    """One search at a time: a second one waits for the first. Each has a stop token of its own."""

    def __init__(self, engine: Engine, stop: StopToken | None):
        self.engine, self.given = engine, stop

    def __enter__(self) -> None:
        engine = self.engine
        if engine._thinker == threading.get_ident():
            raise RuntimeError("on_progress callbacks cannot start another search of the same engine")
        engine._thinking.acquire()
        engine._thinker = threading.get_ident()
        self.token = token = StopToken(self.given)
        with engine._switching:
            engine._stop = token
        self.flags = token.calling(lambda: engine._raise_flags(token))
        self.flags.__enter__()
        engine._deadline = self.token.deadline

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        engine = self.engine
        if error is not None:
            engine.stop()  # in case a worker is still running
        self.flags.__exit__(None, None, None)
        self.token.close()
        engine._thinker = None
        engine._thinking.release()


def _report(found: list[Any], done: threading.Event, on_progress: Callable[[int], Any]) -> None:
    while not done.wait(0.2):
        on_progress(len(found))
