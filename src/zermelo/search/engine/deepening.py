"""Iterative deepening with aspiration windows, several best lines, and a proof if there is nothing to estimate."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from zermelo.game.errors import TooDeep
from zermelo.kernel.ordinals import float_of, ordinal
from zermelo.kernel.worker import Stopped
from zermelo.search.engine.answers import Counts, Found
from zermelo.search.engine.reporting import report
from zermelo.search.engine.scores import TOP, WIN, WINS
from zermelo.search.engine.switches import EXCLUDED
from zermelo.search.engine.task import MOST_PLIES, TO_THE_END, Task
from zermelo.search.engine.windows import MTDF, WINDOW

ASPIRED_DEPTH, ASPIRED_UNITS, WIDENING, WIDE_UNITS = 4, 2, 4, 20
"""Aspiration windows: the least depth, the width on each side in units of evaluation, the factor by which a side grows
if the score lies beyond it, and the width from which on a side is open."""
LOOK, LOOK_NODES = 0.3, 3_000_000
"""Without an evaluation, the share of the time, or of this many nodes, after which a proof begins."""


def deepen(task: Task, depth: int | None) -> tuple[list[Found], int]:
    """Search to depth 1, then 2, and so on.

    Returns the lines of the deepest search, finished or not, and the depth of the last finished one.
    """
    best: list[Found] = []
    reached = 0
    proving = can_only_prove(task)
    for current in range(1, min(depth or MOST_PLIES - 64, MOST_PLIES - 64) + 1):
        lines, finished = search_lines(task, current, best)
        best = lines if finished else best_so_far(task, lines, best)
        if not finished:
            break
        reached = current
        report(task, current, best)
        if all(line.exact and _is_near(line.score, current) for line in best) or is_enough(task, best):
            break
        if all(line.score >= WINS and _is_near(line.score, current) for line in best):
            break  # won, though the table cannot exclude a repetition on the way
        if proving and share_spent(task) > LOOK:
            try:
                return prove_the_rest(task, best, reached)
            except TooDeep:  # the game has endless lines, so no proof follows them to the end: search deeper instead
                proving = False
                task.use(task.engine.memories, WINDOW)
    return best, reached


def can_only_prove(task: Task) -> bool:
    """Has the game no evaluation, so that only a proof finds anything?"""
    engine = task.engine
    if task.depth is not None or task.left_out or engine.options.mtdf:
        return False
    if engine.game.uses_history or not engine.compiled or not engine.has_table:
        return False
    return not engine.memories[0].has_evaluation


def share_spent(task: Task) -> float:
    """The share of the time, or of the nodes, that is spent."""
    passed = time.perf_counter() - task.started
    deadline = min(task.engine._deadline, task.engine._stop.deadline)
    allowed = min(deadline - task.started, task.soft)
    return max(task.nodes / min(task.node_limit, LOOK_NODES), passed / allowed if allowed > 0 else 1.0)


def prove_the_rest(task: Task, best: list[Found], reached: int) -> tuple[list[Found], int]:
    """Use the remaining time for proofs, which need fewer nodes than a deeper search: of the best move, the next, …

    Moves whose proofs are not finished keep what is known of them.
    """
    task.engine._deadline = min(task.engine._deadline, task.started + task.soft)
    task.use(task.engine.finishing, MTDF)
    proven: list[Found] = []
    rest = best
    for _ in range(_wanted(task)):
        if proven:
            leave_out(task, [line.line[0] for line in proven])
            if rest:
                task.begin_with(rest[0].line[0])
        found, finished = task.search_once(TO_THE_END, rest[0].score if rest else proven[-1].score, TOP)
        if not finished or found is None:
            break
        proven.append(found)
        taken = {line.line[0] for line in proven}
        rest = [line for line in best if line.line[0] not in taken]
        rest = [replace(line, score=min(line.score, found.score)) for line in rest]  # no other move is better
        best, reached = [*proven, *rest][: _wanted(task)], task.deepest
        report(task, reached, best)
    return best, reached


def best_so_far(task: Task, begun: list[Found], before: list[Found]) -> list[Found]:
    """The lines to return if a depth is unfinished: its best line, or if several are wanted, those of the last depth.

    Values of two depths cannot be compared: a move that was best may have just been refuted.
    """
    if task.lines > 1 and before:
        return before
    return begun or before


def is_enough(task: Task, best: list[Found]) -> bool:
    """Is it time to move, by the clock?"""
    if task.engine._stop.is_set or task.nodes >= task.node_limit:
        return True
    if task.pace is None:
        return False
    task.pace.note(best[0].line[0], task.engine._value(best[0].score, task.player)[0], task.memories[0].unit)
    decided = len(task.actions) == 1 or (best[0].exact and best[0].score >= WINS)
    return decided or time.perf_counter() - task.started > task.soft


def search_lines(task: Task, depth: int, before: list[Found]) -> tuple[list[Found], bool]:
    """The best lines to this depth, each without the first moves of the lines before it; and whether all were found."""
    lines: list[Found] = []
    finished = True
    for _ in range(_wanted(task)):
        taken = [*task.left_out, *(line.line[0] for line in lines)]
        kept = [line for line in before if line.line[0] not in taken]
        leave_out(task, taken)
        if kept:  # the best move so far goes first, so that an unfinished search returns that one or a better one
            task.begin_with(kept[0].line[0])
        found, finished = search_window(task, depth, kept[0].score if kept else None)
        if found is not None:
            lines.append(found)
        if not finished:
            break
    lines.sort(key=lambda line: -line.score)  # another thread may have searched a later line deeper and found it better
    return lines, finished


def leave_out(task: Task, taken: list[Any]) -> None:
    """Search without these root moves."""
    for memory in task.memories:
        memory.limits[EXCLUDED] = len(taken)
        for j, a in enumerate(taken):
            memory.excluded[j] = a


def _wanted(task: Task) -> int:
    """The number of lines to find."""
    return min(task.lines, len(set(task.actions)))


def search_window(task: Task, depth: int, guess: int | None) -> tuple[Found | None, bool]:
    """One search to this depth, in an aspiration window around the guess, widened until it contains the score."""
    if task.engine.options.mtdf:
        return task.search_once(depth, guess or 0, TOP)
    if not task.engine.options.aspiration or guess is None or abs(guess) >= WINS or depth < ASPIRED_DEPTH:
        return task.search_once(depth, -TOP, TOP)
    value, unit = float_of(guess), task.memories[0].unit
    below = above = ASPIRED_UNITS * unit
    while True:
        low = ordinal(value - below) if below < WIDE_UNITS * unit else -TOP
        high = ordinal(value + above) if above < WIDE_UNITS * unit else TOP
        found, finished = task.search_once(depth, low, high)
        if found is not None and found.score <= low:
            if not finished:
                return None, False  # no move reached the window, so this says little
            below *= WIDENING
        elif found is not None and found.score >= high and finished:
            above *= WIDENING
        else:
            return found, finished


def count(task: Task, depth: int, deepening: bool) -> Counts:
    """The cost of a search to this depth, with or without iterative deepening."""
    if deepening:
        best, _ = deepen(task, depth)
    else:
        found, _ = search_window(task, depth, None)
        best = [] if found is None else [found]
    if not best:
        raise Stopped
    seconds = time.perf_counter() - task.started
    return Counts(task.engine._value(best[0].score, task.player)[0], task.nodes, **task.totals, seconds=seconds)


def _is_near(score: int, depth: int) -> bool:
    """Is a win or a loss so near that this depth would have found a faster one?"""
    return abs(score) < WINS or WIN - abs(score) <= depth
