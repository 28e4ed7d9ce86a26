"""One search of the engine: a position, its limits, and how the answer is found, by deepening or by proving."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from zermelo.game.errors import GameError, IllegalAction, StateError, TooDeep
from zermelo.game.protocol import Game
from zermelo.kernel.ordinals import float_of, ordinal, signed
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Abandoned, Running, Stopped
from zermelo.search.analysis import Analysis, Move
from zermelo.search.checks import listed, time_limit, whole_number
from zermelo.search.engine.answers import Counts, Found, Progress, Variation
from zermelo.search.engine.clock import Clock
from zermelo.search.engine.memory import (
    CUTS,
    DEEPEST,
    DEPTH,
    ESTIMATES,
    EXCLUDED,
    EXTENDED_LIMIT,
    FIRST_CUTS,
    HIGH,
    LEAVES,
    LOW,
    METHOD,
    NODE_LIMIT,
    NODES,
    QUIESCENT,
    RECALL,
    ROOT_HINT,
    ROOT_SCORE,
    SAFE,
    SALT,
    TABLE_CUTS,
    Memory,
)
from zermelo.search.engine.scores import EXACT, TOP, WIN, WINS
from zermelo.search.engine.table import AGE, AGES, bound_in, index_in
from zermelo.search.engine.windows import MTDF, WINDOW

if TYPE_CHECKING:
    from zermelo.search.engine.engine import Engine

UNLIMITED = 1 << 62
DEFAULT_SECONDS = 10.0
TO_THE_END = 1 << 20
"""A depth that no game reaches."""
MOST_PLIES = 2048
"""The deepest line that the engine follows."""
TOO_DEEP = f"went on for more than {MOST_PLIES - 1:,} plies"
WARM_UP, WARM_UP_NODES = 14, 1_000_000
"""How far the engine looks before it proves to the end, where an evaluation can order the moves: depth and nodes."""
ASPIRED_DEPTH, ASPIRED_UNITS, WIDENING, WIDE_UNITS = 4, 2, 4, 20
"""From which depth on windows are narrow, how wide they are on each side, in hundredths of the range of utilities, by
what factor they grow where they were too narrow, and from when on they are open."""
LOOK, LOOK_NODES = 0.3, 3_000_000
"""Where nothing can be estimated, after which share of the time, or of so many nodes, proving begins."""
LINE_NODES = 1_000_000
"""How many nodes a proven position's line may cost in any case."""
SALTS = 0x5DEECE66D1234567
COUNTED = {
    "leaves": LEAVES,
    "estimates": ESTIMATES,
    "cuts": CUTS,
    "first_cuts": FIRST_CUTS,
    "table_cuts": TABLE_CUTS,
    "quiescent": QUIESCENT,
}
"""What is added up over the searches of a task, for those who compare techniques."""


class Task:
    """One call of `think` or `solve`, once it has been checked."""

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
            raise StateError(f"the game of {game.name} is over in this state, at ({worth}): there is no move to find")
        self.player = game.to_move(self.state)
        if not 0 <= self.player < game.players:
            raise GameError(f"to_move gives {self.player}, but {game.name} has players 0 to {game.players - 1}")
        self.actions = listed(here, self.state)
        if not self.actions:
            raise GameError(f"{game.name} has no legal moves in a state that is not terminal: {self.state!r}")
        self.left_out: list[Any] = []
        if moves is not None:
            self.choose_from(list(moves))
        room = engine.memories[0].moves.shape[1]
        if len(self.actions) > room:
            raise GameError(
                f"{game.name} has {len(self.actions):,} legal moves in {self.state!r}, but room is only for {room:,}: "
                "declare as many as there can be as its max_actions"
            )
        self.games = [game.remembering(earlier, MOST_PLIES + 2) for _ in engine.memories]
        self.memories = engine.memories
        self.past = len(earlier)
        self.nodes = 0
        self.deepest = 0
        self.totals = dict.fromkeys(COUNTED, 0)

    def choose_from(self, moves: list[Any]) -> None:
        """Leave out all other moves than these."""
        for a in moves:
            if a not in self.actions:
                raise IllegalAction(f"{a!r} is not a legal move here, so it cannot be chosen")
        if not moves:
            raise ValueError("there must be at least one move to choose from")
        self.left_out = [a for a in self.actions if a not in moves]
        self.actions = [a for a in self.actions if a in moves]

    def begin(self, prove: bool = False) -> None:
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
        self.soft = math.inf
        hard = math.inf if self.seconds is None else self.seconds
        if self.clock is not None:
            self.soft, most = self.clock.limits()
            hard = min(hard, most)
        engine._deadline = min(engine._deadline, self.started + hard)

    def use(self, memories: list[Memory], method: int) -> None:
        """Search with these memories, by this method."""
        engine = self.engine
        salt = 0 if memories[0].alike and not memories[0].has_evaluation else salt_of(self.player)
        for memory in memories:
            engine._prepare(memory, salt)
            memory.limits[METHOD] = method
        memories[0].limits[RECALL] = int(engine.has_table)
        self.memories = memories
        self.programs = [engine._program(*pair) for pair in zip(self.games, memories, strict=True)]

    # Deepening.

    def deepen(self, depth: int | None) -> tuple[list[Found], int]:
        """Depth 1, then 2, and so on; what the deepest finished search found, or the next one so far."""
        best: list[Found] = []
        reached = 0
        for current in range(1, min(depth or MOST_PLIES - 64, MOST_PLIES - 64) + 1):
            lines, finished = self.search_lines(current, best)
            best = lines if finished else self.merged(lines, best)
            if not finished:
                break
            reached = current
            self.tell(current, best)
            if all(line.exact and _is_near(line.score, current) for line in best) or self.is_enough(best):
                break
            if all(line.score >= WINS and _is_near(line.score, current) for line in best):
                break  # won, though the table may not know whether a position would be repeated on the way
            if self.can_only_prove and self.share_spent() > LOOK:
                return self.prove_the_rest(best, reached)
        return best, reached

    @property
    def can_only_prove(self) -> bool:
        """Has the game no evaluation, so that a look ahead tells nothing but what it proves?"""
        engine = self.engine
        if self.depth is not None or self.lines > 1 or self.left_out or engine.options.mtdf:
            return False
        if engine.game.uses_history or not engine.compiled or not engine.has_table:
            return False
        return not engine.memories[0].has_evaluation

    def share_spent(self) -> float:
        """How much of the time, or of the nodes, is gone."""
        passed = time.perf_counter() - self.started
        deadline = min(self.engine._deadline, self.engine._stop.deadline)
        allowed = min(deadline - self.started, self.soft)
        return max(self.nodes / min(self.node_limit, LOOK_NODES), passed / allowed if allowed > 0 else 1.0)

    def prove_the_rest(self, best: list[Found], reached: int) -> tuple[list[Found], int]:
        """A proof in what is left of the time, for which fewer nodes are enough than for more depth; or else `best`."""
        self.engine._deadline = min(self.engine._deadline, self.started + self.soft)
        self.use(self.engine.finishing, MTDF)
        try:
            found, finished = self.search_once(TO_THE_END, best[0].score, TOP)
        except TooDeep:  # the game may go on for ever
            return best, reached
        if not finished or found is None:
            return best, reached
        best = [found]
        self.tell(self.deepest, best)
        return best, self.deepest

    def merged(self, begun: list[Found], before: list[Found]) -> list[Found]:
        """What to answer where a depth was broken off: its best line, or where several are asked for, those before it.

        Values of two depths cannot be compared: a move that was best may have just been refuted.
        """
        if self.lines > 1 and before:
            return before
        return begun or before

    def is_enough(self, best: list[Found]) -> bool:
        """Is it time to move, by the clock?"""
        if self.engine._stop.is_set or self.nodes >= self.node_limit:
            return True
        if self.clock is None:
            return False
        decided = len(self.actions) == 1 or (best[0].exact and best[0].score >= WINS)
        return decided or time.perf_counter() - self.started > self.soft

    def search_lines(self, depth: int, before: list[Found]) -> tuple[list[Found], bool]:
        """The best lines to this depth, each without the first moves of those before it; and whether all were found."""
        lines: list[Found] = []
        finished = True
        wanted = min(self.lines, len(set(self.actions)))
        for _ in range(wanted):
            taken = [*self.left_out, *(line.line[0] for line in lines)]
            kept = [line for line in before if line.line[0] not in taken]
            for memory in self.memories:
                memory.limits[EXCLUDED] = len(taken)
                for j, a in enumerate(taken):
                    memory.excluded[j] = a
            if kept:  # the best move so far goes first: so a search that is broken off has something better, or that
                self.begin_with(kept[0].line[0])
            found, finished = self.search_window(depth, kept[0].score if kept else None)
            if found is not None:
                lines.append(found)
            if not finished:
                break
        lines.sort(key=lambda line: -line.score)  # a thread that looked deeper may have found a later line better
        return lines, finished

    def begin_with(self, a: Any) -> None:
        for memory in self.memories:
            memory.limits[ROOT_HINT] = 1
            memory.first[0] = a

    def search_window(self, depth: int, guess: int | None) -> tuple[Found | None, bool]:
        """One search to this depth, in a window around the guess that is widened until it holds the score."""
        if self.engine.options.mtdf:
            return self.search_once(depth, guess or 0, TOP)
        if not self.engine.options.aspiration or guess is None or abs(guess) >= WINS or depth < ASPIRED_DEPTH:
            return self.search_once(depth, -TOP, TOP)
        value, unit = float_of(guess), self.memories[0].unit
        below = above = ASPIRED_UNITS * unit
        while True:
            low = ordinal(value - below) if below < WIDE_UNITS * unit else -TOP
            high = ordinal(value + above) if above < WIDE_UNITS * unit else TOP
            found, finished = self.search_once(depth, low, high)
            if found is not None and found.score <= low:
                if not finished:
                    return None, False  # nothing has been as good as hoped, so this says little
                below *= WIDENING
            elif found is not None and found.score >= high and finished:
                above *= WIDENING
            else:
                return found, finished

    def search_once(self, depth: int, low: int, high: int) -> tuple[Found | None, bool]:
        """One search on all threads; what it found, and whether it came to its end."""
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
            # Beyond it there must be room for as many plies again, and for quiescence.
            memory.limits[EXTENDED_LIMIT] = max(min(2 * depth, MOST_PLIES - 32 - depth), 0)
            memory.limits[NODE_LIMIT] = share if number else left - share * (len(self.memories) - 1)
            engine._stop.clear(memory.stop)
            if self.games[number].uses_history:
                self.games[number].history_length[0] = self.past
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
                    pass  # what goes wrong there is told where the first search meets it
        for each in self.memories:
            self.nodes += int(each.counts[NODES])
            for name, place in COUNTED.items():
                self.totals[name] += int(each.counts[place])
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
        except Abandoned:
            engine._forsake()
            raise
        except TooDeep:
            raise TooDeep(f"{engine.game.name} {TOO_DEEP}: give a depth, nodes or seconds") from None
        except GameError as error:
            raise GameError(f"{engine.game.name}, after {engine._led(memory, self.state)}: {error}") from None

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
        return Counts(self.engine._value(best[0].score, self.player)[0], self.nodes, **self.totals, seconds=seconds)

    # Proving.

    def prove(self) -> tuple[list[Found], int]:
        """The value, to the end of the game; where moves can be evaluated, after a look at them."""
        engine = self.engine
        best: list[Found] = []
        reached = 0
        if self.warms_up:
            allowed, self.node_limit = self.node_limit, min(self.node_limit, WARM_UP_NODES)
            best, reached = self.deepen(WARM_UP)
            self.node_limit = allowed
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
        """The line by which both sides keep their value, as far as it takes no more work than the proof."""
        self.node_limit = min(self.node_limit, self.nodes + max(self.nodes, LINE_NODES))
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
            if not self.memories[0].alike:  # to the two sides, the same scores mean different values
                for memory in self.memories:
                    memory.limits[SALT] = salt_of(player)
            self.state, kept = s, self.player
            self.player = player
            step, finished = self.search_once(TO_THE_END, expected, TOP)
            self.state, self.player = root, kept
            if not finished or step is None:
                break
            move = step.line[0]
        return tuple(line)

    def followed(self, line: tuple[Any, ...], depth: int) -> tuple[Any, ...]:
        """The line, continued by what the table says, since a search ends where the table knows the rest."""
        game, memory = self.engine.game, self.memories[0]
        if not self.engine.has_table or game.uses_history:
            return line
        s, moves = self.state, list(line)
        for a in line:
            s = game.result(s, a)
        while len(moves) < depth and not game.is_terminal(s):
            word = game.canonical_key(s) ^ int(memory.limits[SALT])
            if game.canonical_key(s) != game.key(s):
                break  # the move's place may be that in the list of a mirror image
            data = int(memory.look_up(memory.bucket_of(word), signed(word)))
            safely = memory.has_safe_actions and memory.switches[SAFE]
            listed = list(game.safe_actions(s) if safely else game.actions(s))
            index = index_in(data)
            if data == 0 or bound_in(data) != EXACT or index >= len(listed):
                break
            moves.append(listed[index])
            s = game.result(s, listed[index])
        return tuple(moves)

    # The answer.

    def tell(self, depth: int, best: list[Found]) -> None:
        if self.on_progress is None or not best:
            return
        lines = tuple(Variation(*self.engine._value(each.score, self.player), each.line) for each in best)
        value, distance, line = lines[0]
        seconds = time.perf_counter() - self.started
        self.on_progress(
            Progress(depth, value, distance, best[0].exact, line, self.nodes, seconds, self.deepest, lines)
        )

    def answer(self, found: list[Found], reached: int) -> Analysis:
        engine, game = self.engine, self.engine.game
        seconds = time.perf_counter() - self.started
        if not found:  # time was up before anything was searched
            found = [Found(ordinal(Game.evaluate(game, self.state, self.player)), (self.actions[0],), False)]
        moves = []
        found = [Found(line.score, self.followed(line.line, reached), line.exact) for line in found]
        for line in found:
            value, distance = engine._value(line.score, self.player)
            name = game.action_name(self.state, line.line[0])
            moves.append(Move(line.line[0], name, value, True, line.line, distance, line.exact))
        seen = {move.action for move in moves}
        moves += [Move(a, game.action_name(self.state, a), None, False) for a in self.actions if a not in seen]
        value, distance = engine._value(found[0].score, self.player)
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


def salt_of(player: int) -> int:
    """What is mixed into the keys of positions whose scores this player's utilities are."""
    return (player + 1) * SALTS & (1 << 62) - 1


def _is_near(score: int, depth: int) -> bool:
    """Is a win or a loss so near that the search would have seen a nearer one?"""
    return abs(score) < WINS or WIN - abs(score) <= depth
