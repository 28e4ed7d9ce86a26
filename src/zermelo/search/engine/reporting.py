"""From what a task has found to what the caller gets: progress reports and the answer."""

from __future__ import annotations

import itertools
import time
from typing import Any

from zermelo.game.protocol import Game
from zermelo.kernel.ordinals import ordinal, signed
from zermelo.lookup.longest import best_line
from zermelo.search.analysis import Analysis
from zermelo.search.engine.answers import EngineAnalysis, Found, Progress, Variation
from zermelo.search.engine.scores import EXACT
from zermelo.search.engine.switches import SAFE, SALT
from zermelo.search.engine.table import bound_in, index_in
from zermelo.search.engine.task import Task

FOLLOWED = 8
"""How many moves of endgame tables are added to a line."""


def report(task: Task, depth: int, best: list[Found]) -> None:
    """Call on_progress with what has been found."""
    if task.on_progress is None or not best:
        return
    lines = tuple(Variation(*task.engine._value(each.score, task.player), each.line) for each in best)
    value, distance, line = lines[0]
    seconds = time.perf_counter() - task.started
    about = task.nodes, seconds, task.deepest, lines, task.totals["endgames"]
    task.on_progress(Progress(depth, value, distance, best[0].exact, line, *about))


def answer(task: Task, found: list[Found], reached: int) -> Analysis:
    """What was found, as the answer to the caller."""
    engine, game = task.engine, task.engine.game
    seconds = time.perf_counter() - task.started
    if not found:  # the time was over before anything was searched
        found = [Found(ordinal(Game.evaluate(game, task.state, task.player)), (task.actions[0],), False)]
    found = [Found(line.score, followed(task, line.line, reached), line.exact) for line in found]
    lines = tuple((*engine._value(line.score, task.player), line.line, line.exact) for line in found)
    value, distance, line, exact = lines[0]
    return EngineAnalysis(
        game=game,
        state=task.state,
        player=task.player,
        action=line[0],
        value=value,
        exact=exact,
        line=line,
        searched=lines,
        legal=tuple(task.actions),
        nodes=task.nodes,
        depth=reached,
        seconds=seconds,
        compile_seconds=task.compile_seconds,
        algorithm="mtdf" if engine.options.mtdf else "engine",
        reason="two sides, no chance, nothing hidden",
        compiled=engine.compiled,
        distance=distance,
    )


def followed(task: Task, line: tuple[Any, ...], depth: int) -> tuple[Any, ...]:
    """The line, continued from the table: a search ends as soon as the table has the answer."""
    game, memory = task.engine.game, task.memories[0]
    s, moves = task.state, list(line)
    for a in line:
        s = game.result(s, a)
    if task.engine.endgames is not None and s in task.engine.endgames:
        return (*line, *itertools.islice(best_line(task.engine.endgames, s), FOLLOWED))
    if not task.engine.has_table or game.uses_history:
        return line
    while len(moves) < depth and not game.is_terminal(s):
        word = game.canonical_key(s) ^ int(memory.limits[SALT])
        if game.canonical_key(s) != game.key(s):
            break  # the table has the place of a move in the list of a mirror image
        data = int(memory.look_up(memory.bucket_of(word), signed(word)))
        safely = memory.has_safe_actions and memory.switches[SAFE]
        listed = list(game.safe_actions(s) if safely else game.actions(s))
        index = index_in(data)
        if data == 0 or bound_in(data) != EXACT or index >= len(listed):
            break
        moves.append(listed[index])
        s = game.result(s, listed[index])
    return tuple(moves)
