"""One search of the engine: a position, its limits, and how the answer is found, by deepening or by proving."""

from __future__ import annotations

import contextlib
import functools
import math
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from zermelo.game.errors import GameError, StateError, TooDeep
from zermelo.game.protocol import Game
from zermelo.kernel.ordinals import float_of, ordinal
from zermelo.kernel.worker import Running, Stopped
from zermelo.search.analysis import Analysis, Move
from zermelo.search.driver import listed, time_limit, whole_number
from zermelo.search.engine.answers import Counts, Found, Progress
from zermelo.search.engine.clock import Clock
from zermelo.search.engine.memory import (
    CUTS,
    DEEPEST,
    DEPTH,
    ESTIMATES,
    EXCLUDED,
    EXTENDED_LIMIT,
    FAULT,
    FIRST_CUTS,
    HIGH,
    LEAVES,
    LOW,
    METHOD,
    NODE_LIMIT,
    NODES,
    ROOT_HINT,
    ROOT_INDEX,
    ROOT_SCORE,
    TABLE_CUTS,
    Memory,
)
from zermelo.search.engine.scores import TOP, WIN, WINS
from zermelo.search.engine.table import AGE, AGES
from zermelo.search.engine.windows import MTDF, WINDOW

if TYPE_CHECKING:
    from zermelo.search.engine.engine import Engine

UNLIMITED = 1 << 62
DEFAULT_SECONDS = 10.0
TO_THE_END = 1 << 20
"""A depth that no game reaches."""
MOST_PLIES = 2048
"""The deepest line that the engine follows."""
WARM_UP = 8
"""To what depth the engine looks before it proves to the end, where an evaluation can order the moves."""
SALTS = 0x5DEECE66D1234567
COUNTED = {"leaves": LEAVES, "estimates": ESTIMATES, "cuts": CUTS, "first_cuts": FIRST_CUTS, "table_cuts": TABLE_CUTS}
"""What is added up over the searches of a task, for those who compare techniques."""


class Task:
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
            self.seconds = DEFAULT_SECONDS
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
        self.memories = engine.memories
        self.past = len(earlier)
        self.nodes = 0
        self.deepest = 0
        self.totals = dict.fromkeys(COUNTED, 0)

    def begin(self) -> None:
        engine = self.engine
        started = time.perf_counter()
        for memory in self.memories:
            memory.history[:] >>= 1
        policy = engine.memories[0].policy
        policy[AGE] = (policy[AGE] + 1) % AGES
        self.use(engine.memories, MTDF if engine.options.mtdf else WINDOW)
        self.started = time.perf_counter()
        self.compile_seconds = self.started - started
        self.soft = math.inf
        hard = math.inf if self.seconds is None else self.seconds
        if self.clock is not None:
            self.soft, most = self.clock.limits()
            hard = min(hard, most)
        engine._deadline = min(engine._deadline, self.started + hard)

    def use(self, memories: list[Memory], method: int) -> None:
        """Search with these memories, by this method."""
        engine = self.engine
        low, high = memories[0].low, memories[0].high
        alike = low == -high and not memories[0].has_evaluation
        salt = 0 if alike else (self.player + 1) * SALTS & (1 << 62) - 1
        for memory in memories:
            engine._prepare(memory, salt)
            memory.limits[METHOD] = method
        self.memories = memories
        self.programs = [engine._program(*pair) for pair in zip(self.games, memories, strict=True)]

    # Deepening.

    def deepen(self, depth: int | None) -> tuple[list[Found], int]:
        """Depth 1, then 2, and so on; what the deepest finished search found, or the next one so far."""
        best: list[Found] = []
        reached = 0
        for current in range(1, min(depth or MOST_PLIES - 64, MOST_PLIES - 64) + 1):
            lines, finished = self.search_lines(current, best)
            # Of several lines, some of one depth and some of another cannot be compared: then the last depth stands.
            if lines and (finished or not best or (lines[0].line and self.lines == 1)):
                best = lines
            if not finished:
                break
            reached = current
            self.tell(current, best)
            if all(line.exact and _is_near(line.score, current) for line in best) or self.is_enough(best):
                break
        return best, reached

    def is_enough(self, best: list[Found]) -> bool:
        """Is it time to move, by the clock?"""
        if self.engine._stop.is_set() or self.nodes >= self.node_limit:
            return True
        if self.clock is None:
            return False
        decided = len(self.actions) == 1 or (best[0].exact and best[0].score >= WINS)
        return decided or time.perf_counter() - self.started > self.soft

    def search_lines(self, depth: int, before: list[Found]) -> tuple[list[Found], bool]:
        """The best lines to this depth, each without the first moves of those before it; and whether all were found."""
        lines: list[Found] = []
        wanted = min(self.lines, len(self.actions))
        for i in range(wanted):
            for memory in self.memories:
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

    def search_window(self, depth: int, guess: int | None) -> tuple[Found | None, bool]:
        """One search to this depth, in a window around the guess that is widened until it holds the score."""
        memory = self.memories[0]
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

    def search_once(self, depth: int, low: int, high: int) -> tuple[Found | None, bool]:
        """One search on all threads; what it found, and whether it came to its end."""
        engine = self.engine
        helpers = []
        for number, memory in enumerate(self.memories):
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
            helpers.append(Running(functools.partial(program, self.state)))
        memory = self.memories[0]
        try:
            score = self.execute()
            finished = True
        except Stopped:
            score, finished = None, False
        finally:
            for helper, other in zip(helpers, self.memories[1:], strict=True):
                other.stop[0] = 1
                with contextlib.suppress(Stopped):
                    helper.wait(other.stop)
                self.nodes += int(other.counts[NODES])
        self.nodes += int(memory.counts[NODES])
        for name, place in COUNTED.items():
            self.totals[name] += int(memory.counts[place])
        self.deepest = max(self.deepest, int(memory.counts[DEEPEST]))
        line = tuple(engine._action(a) for a in memory.line[0][: int(memory.length[0])])
        if not finished:
            if not line or self.engine.options.mtdf or memory.limits[METHOD] == MTDF:
                return None, False
            return Found(int(memory.counts[ROOT_SCORE]), line, False), False
        for other in self.memories:
            other.limits[ROOT_HINT] = memory.counts[ROOT_INDEX]
        return Found(int(score), line or (self.actions[0],), self.is_proven(int(score), memory)), True

    def is_proven(self, score: int, memory: Memory) -> bool:
        """Was nothing estimated; or is it a win or a loss, of which none is ever estimated?"""
        if self.engine.game.uses_history and self.engine.has_table:
            return False  # the table does not know by which way a position was reached
        return int(memory.counts[ESTIMATES]) == 0 or (self.engine.options.is_sound and abs(score) >= WINS)

    def execute(self) -> Any:
        engine = self.engine
        memory = self.memories[0]
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

    def count(self, depth: int, deepening: bool) -> Counts:
        """What it costs to search to this depth: at once, or by way of every depth before it."""
        if deepening:
            best, _ = self.deepen(depth)
        else:
            found, _ = self.search_window(depth, None)
            best = [] if found is None else [found]
        if not best:
            raise Stopped
        seconds = time.perf_counter() - self.started
        return Counts(self.engine._value(best[0].score)[0], self.nodes, **self.totals, seconds=seconds)

    # Proving.

    def prove(self) -> tuple[list[Found], int]:
        """The value, to the end of the game; where moves can be evaluated, after a look at them."""
        engine = self.engine
        best: list[Found] = []
        reached = 0
        if engine.memories[0].has_evaluation and engine.has_table:
            best, reached = self.deepen(WARM_UP)
            if best and best[0].exact:
                return best, reached
        before = time.perf_counter()
        self.use(engine.proving, MTDF)
        spent = time.perf_counter() - before
        self.compile_seconds += spent
        self.started += spent
        engine._deadline += spent
        guess = best[0].score if best else 0
        found, finished = self.search_once(TO_THE_END, guess, TOP)
        if finished and found is not None:
            best = [Found(found.score, self.proven_line(found), found.exact)]
            reached = self.deepest
            self.tell(reached, best)
        return best, reached

    def proven_line(self, found: Found) -> tuple[Any, ...]:
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

    def tell(self, depth: int, best: list[Found]) -> None:
        if self.on_progress is None or not best:
            return
        value, distance = self.engine._value(best[0].score)
        self.on_progress(
            Progress(
                depth, value, distance, best[0].exact, best[0].line, self.nodes, time.perf_counter() - self.started
            )
        )

    def answer(self, found: list[Found], reached: int) -> Analysis:
        engine, game = self.engine, self.engine.game
        seconds = time.perf_counter() - self.started
        if not found:  # time was up before anything was searched
            found = [Found(ordinal(Game.evaluate(game, self.state, self.player)), (self.actions[0],), False)]
        moves = []
        for line in found:
            value, distance = engine._value(line.score)
            name = game.action_name(self.state, line.line[0])
            moves.append(Move(line.line[0], name, value, True, line.line, distance, line.exact))
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


def _is_near(score: int, depth: int) -> bool:
    """Is a win or a loss so near that the search would have seen a nearer one?"""
    return abs(score) < WINS or WIN - abs(score) <= depth
