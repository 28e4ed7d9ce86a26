"""Proofs: searches to the end of the game, and the line that both sides then play."""

from __future__ import annotations

import time
from typing import Any

from zermelo.search.engine.answers import Found
from zermelo.search.engine.deepening import deepen
from zermelo.search.engine.reporting import report
from zermelo.search.engine.scores import TOP, WIN, WINS
from zermelo.search.engine.switches import SALT
from zermelo.search.engine.task import TO_THE_END, Task, salt_of
from zermelo.search.engine.windows import MTDF

WARM_UP, WARM_UP_NODES = 14, 1_000_000
"""The depth and nodes of the search before a proof, if the game has an evaluation."""
LINE_NODES = 1_000_000
"""How many nodes the line of a proven position may cost in any case."""
LONGEST_LINE = 200


def prove(task: Task) -> tuple[list[Found], int]:
    """Prove the value by a search to the end of the game, after a short search that orders moves by the evaluation.

    Returns what was found and the depth that was reached.
    """
    engine = task.engine
    best: list[Found] = []
    reached = 0
    if task.warms_up:
        allowed, task.node_limit = task.node_limit, min(task.node_limit, WARM_UP_NODES)
        best, reached = deepen(task, WARM_UP)
        task.node_limit = allowed
        if best and best[0].exact:
            return best, reached
        before = time.perf_counter()
        task.use(engine.proving, MTDF)
        spent = time.perf_counter() - before
        task.compile_seconds += spent
        task.started += spent
        engine._deadline += spent
    guess = best[0].score if best else 0
    found, finished = task.search_once(TO_THE_END, guess, TOP)
    if finished and found is not None:
        best = [Found(found.score, proven_line(task, found), found.exact)]
        reached = task.deepest
        report(task, reached, best)
    return best, reached


def proven_line(task: Task, found: Found) -> tuple[Any, ...]:
    """A line on which both sides keep the proven value, as long as finding it costs no more than the proof did."""
    task.node_limit = min(task.node_limit, task.nodes + max(task.nodes, LINE_NODES))
    game, s = task.engine.game, task.state
    line: list[Any] = []
    score, move = found.score, found.line[0]
    root = task.state
    sign = 1
    while True:
        line.append(move)
        s = game.result(s, move)
        if game.is_terminal(s) or len(line) >= LONGEST_LINE or game.uses_history:
            break
        player = game.to_move(s)
        sign = 1 if game.side(player) == game.side(task.player) else -1
        n = WIN - abs(score) - len(line) if abs(score) >= WINS else 0
        expected = sign * (score if abs(score) < WINS else (WIN - n if score > 0 else n - WIN))
        if not task.memories[0].alike:  # the same score means different values for the two sides
            for memory in task.memories:
                memory.limits[SALT] = salt_of(player)
        task.state, kept = s, task.player
        task.player = player
        step, finished = task.search_once(TO_THE_END, expected, TOP)
        task.state, task.player = root, kept
        if not finished or step is None:
            break
        move = step.line[0]
    return tuple(line)
