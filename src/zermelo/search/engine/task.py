"""One call of the engine: a position and its limits, checked, and single searches of that position on all threads."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from zermelo.game.errors import GameError, IllegalAction, StateError, TooDeep
from zermelo.kernel.history import rewind
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Abandoned, Running, Stopped
from zermelo.search.bookkeeping import DEEPEST, NODE_LIMIT, NODES
from zermelo.search.checks import UNLIMITED, listed, time_limit, whole_number
from zermelo.search.engine.answers import Found, Progress
from zermelo.search.engine.clock import MOVES_AHEAD, Clock, Pace
from zermelo.search.engine.memory import Memory
from zermelo.search.engine.scores import WINS
from zermelo.search.engine.switches import (
    CUTS,
    DEPTH,
    ESTIMATES,
    EXTENDED_LIMIT,
    FIRST_CUTS,
    FROM_TABLES,
    HIGH,
    LEAVES,
    LOW,
    METHOD,
    QUIESCENT,
    RECALL,
    ROOT_HINT,
    ROOT_SCORE,
    TABLE_CUTS,
)
from zermelo.search.engine.table import AGE, AGES
from zermelo.search.engine.windows import MTDF, WINDOW
from zermelo.search.faults import located

if TYPE_CHECKING:
    from zermelo.search.engine.engine import Engine

DEFAULT_SECONDS = 10.0
TO_THE_END = 1 << 20
"""A depth that no game reaches."""
MOST_PLIES = 2048
"""The deepest line that the engine follows."""
TOO_DEEP = f"went on for more than {MOST_PLIES - 1:,} plies"
SALTS = 0x5DEECE66D1234567
COUNTED = {
    "leaves": LEAVES,
    "estimates": ESTIMATES,
    "cuts": CUTS,
    "first_cuts": FIRST_CUTS,
    "table_cuts": TABLE_CUTS,
    "quiescent": QUIESCENT,
    "endgames": FROM_TABLES,
}
"""The counters that are added up over the searches of a task."""


class Task:
    """One call of `think` or `solve`, with its arguments checked. `deepening` and `proving` search with it."""

    def __init__(
        self,
        engine: Engine,
        state: Any,
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
    ):
        game = engine.game
        self.engine, self.on_progress, self.clock, self.stop = engine, on_progress, clock, stop
        self.depth = depth
        self.lines = whole_number("lines", lines) or 1
        self.node_limit = whole_number("nodes", nodes) or UNLIMITED
        self.seconds = None if seconds == math.inf else time_limit(seconds)
        if seconds is None and clock is None and nodes is None and depth is None:
            self.seconds = DEFAULT_SECONDS
        if clock is not None and not isinstance(clock, Clock):
            raise TypeError(f"clock must be a Clock, as in Clock(remaining=60, increment=1), not {clock!r}")
        self.state = game.initial() if state is None else game.checked(state)
        earlier = list(history)
        here = game.remembering([*earlier, self.state])
        if here.is_terminal(self.state):
            worth = ", ".join(f"{game.utility(self.state, p):g}" for p in range(game.players))
            raise StateError(f"the game of {game.title} is over in this state, at ({worth}): there is no move to find")
        self.player = game.to_move(self.state)
        if not 0 <= self.player < game.players:
            raise GameError(f"to_move gives {self.player}, but {game.title} has players 0 to {game.players - 1}")
        self.actions = listed(here, self.state)
        if not self.actions:
            raise GameError(f"{game.title} has no legal moves in a state that is not terminal: {self.state!r}")
        self.left_out: list[Any] = []
        if moves is not None:
            self.choose_from(list(moves))
        room = engine.memories[0].moves.shape[1]
        if len(self.actions) > room:
            raise GameError(
                f"{game.title} has {len(self.actions):,} legal moves in {self.state!r}, but room is only for {room:,}: "
                "declare as many as there can be as its max_actions"
            )
        self.games = [game.remembering(earlier, MOST_PLIES + 2) for _ in engine.memories]
        self.memories = engine.memories
        self.past = len(earlier)
        self.nodes = 0
        self.deepest = 0
        self.totals = dict.fromkeys(COUNTED, 0)

    def choose_from(self, moves: list[Any]) -> None:
        """Restrict the root to these moves."""
        for a in moves:
            if a not in self.actions:
                raise IllegalAction(f"{a!r} is not a legal move here, so it cannot be chosen")
        if not moves:
            raise ValueError("there must be at least one move to choose from")
        self.left_out = [a for a in self.actions if a not in moves]
        self.actions = [a for a in self.actions if a in moves]

    def begin(self, prove: bool = False) -> None:
        """Prepare the memories, compile if needed, and start the clock."""
        engine = self.engine
        self.warms_up = engine.memories[0].has_evaluation and engine.has_table
        started = time.perf_counter()
        for memory in self.memories:
            memory.history[:] >>= 1
        policy = engine.memories[0].policy
        policy[AGE] = (policy[AGE] + 1) % AGES
        if prove and not self.warms_up:
            self.use(engine.proving, MTDF)
        else:
            self.use(engine.memories, MTDF if engine.options.mtdf else WINDOW)
        self.started = time.perf_counter()
        self.compile_seconds = self.started - started
        self.pace = None if self.clock is None else Pace(self.clock, self.moves_left())
        hard = math.inf if self.seconds is None else self.seconds
        if self.pace is not None:
            hard = min(hard, self.pace.hard)
        engine._deadline = min(engine._deadline, self.started + hard)

    @property
    def soft(self) -> float:
        """Seconds after which no deeper search starts."""
        return math.inf if self.pace is None else self.pace.soft

    def moves_left(self) -> int:
        """The most moves that the player can still make, if the game knows it."""
        game = self.engine.game
        return (game.plies_left(self.state) + 1) // 2 if game.offers("plies_left") else MOVES_AHEAD

    def use(self, memories: list[Memory], method: int) -> None:
        """Search with these memories, by this method."""
        engine = self.engine
        salt = 0 if memories[0].alike and not memories[0].has_evaluation else salt_of(self.player)
        for memory in memories:
            engine._prepare(memory, salt)
            memory.limits[METHOD] = method
        memories[0].limits[RECALL] = int(engine._needs_recall(salt))
        self.memories = memories
        self.programs = [engine._program(*pair) for pair in zip(self.games, memories, strict=True)]

    def begin_with(self, a: Any) -> None:
        """Try this root move first."""
        for memory in self.memories:
            memory.limits[ROOT_HINT] = 1
            memory.first[0] = a

    def search_once(self, depth: int, low: int, high: int) -> tuple[Found | None, bool]:
        """One search on all threads; returns what it found, and whether it was finished."""
        engine = self.engine
        helpers: list[Running] = []
        left = self.node_limit - self.nodes
        share = left // len(self.memories)
        for number, memory in enumerate(self.memories):
            for i in range(len(memory.counts)):
                memory.counts[i] = 0
            memory.length[0] = 0
            memory.limits[DEPTH] = depth + (number & 1 if depth < TO_THE_END else 0)
            memory.limits[LOW], memory.limits[HIGH] = low, high
            # Beyond this limit there must be room for as many plies again, and for quiescence search.
            memory.limits[EXTENDED_LIMIT] = max(min(2 * depth, MOST_PLIES - 32 - depth), 0)
            memory.limits[NODE_LIMIT] = share if number else left - share * (len(self.memories) - 1)
            engine._stop.clear(memory.stop)
            rewind(self.games[number], self.past)
        memory = self.memories[0]
        try:
            for program in self.programs[1:]:
                helpers.append(Running(functools.partial(program, self.state)))
            score = self.execute()
            finished = True
        except Stopped:
            score, finished = None, False
        finally:
            for other in self.memories[1:]:
                other.stop[0] = 1
            for helper, other in zip(helpers, self.memories[1:], strict=False):
                try:
                    helper.wait(other.stop, 0)
                except Abandoned:
                    engine._forsake()
                except Exception:
                    pass  # the first search meets the same error and reports it
        before = self.nodes
        for each in self.memories:
            self.nodes += int(each.counts[NODES])
            for name, place in COUNTED.items():
                self.totals[name] += int(each.counts[place])
        engine._require_intact()
        engine._searched_since_recall += self.nodes - before
        if memory.limits[RECALL] != 0:  # it was stopped before it began
            engine._recalled = None
        self.deepest = max(self.deepest, int(memory.counts[DEEPEST]))
        line = tuple(engine._action(a) for a in memory.line[0][: int(memory.length[0])])
        if not finished:
            if not line or self.engine.options.mtdf or memory.limits[METHOD] == MTDF:
                return None, False
            return Found(int(memory.counts[ROOT_SCORE]), line, False), False
        line = line or (self.actions[0],)
        self.begin_with(line[0])
        return Found(int(score), line, self.is_proven(int(score), memory)), True

    def is_proven(self, score: int, memory: Memory) -> bool:
        """Was nothing estimated, or is the score a win or a loss, which is never estimated?"""
        if self.engine.game.uses_history and self.engine.has_table:
            # The transposition table does not know the path to a position. Endgame tables need not know it.
            asked = int(memory.counts[FROM_TABLES]) > 0 and int(memory.counts[TABLE_CUTS]) == 0
            return asked and int(memory.counts[ESTIMATES]) == 0
        return int(memory.counts[ESTIMATES]) == 0 or (self.engine.options.is_sound and abs(score) >= WINS)

    def execute(self) -> Any:
        """Run the first thread's search until its end or the deadline."""
        engine = self.engine
        memory = self.memories[0]
        left = engine._deadline - time.perf_counter()
        if left <= 0:
            raise Stopped
        program = self.programs[0]
        try:
            return engine._run(lambda: program(self.state), memory, None if left == math.inf else left)
        except Abandoned:
            engine._forsake()
            raise
        except TooDeep:
            raise TooDeep(f"{engine.game.title} {TOO_DEEP}: give a depth, nodes or seconds") from None
        except GameError as error:
            raise GameError(f"{engine.game.title}, after {engine._led(memory, self.state)}: {error}") from None
        except (ArithmeticError, LookupError, AssertionError, ValueError) as error:
            raise located(engine.game, self.state, error) if engine.compiled else error from None


def salt_of(player: int) -> int:
    """A number to mix into the keys of positions whose scores are this player's utilities."""
    return (player + 1) * SALTS & (1 << 62) - 1
