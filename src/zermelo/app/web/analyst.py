"""How a position is analysed: every move by itself, deeper and deeper, until everything is proven or it is stopped."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from typing import Any

from zermelo.app.web.findings import Finding, Findings, line_names
from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.kernel.stopping import StopToken
from zermelo.search.analysis import Analysis
from zermelo.search.driver import analyse
from zermelo.search.engine import Engine
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import choose

DEEPEST = 100
PROVED_FROM, PROVING_NODES = 8, 20_000
"""For games without an evaluation: the depth from which proofs are tried, and their nodes, doubled each time."""
SLICE = 2.0
"""Seconds for each depth of an algorithm without iterative deepening; if it needs more, the analysis ends."""
SIMULATED = 0.4
"""Seconds of a Monte Carlo search between two reports."""

Ask = Callable[..., Analysis]
"""ask(engine, state, **limits): the engine's analysis; raises an error if it is no longer wanted."""


def can_analyse(game: Game) -> bool:
    """Does some algorithm search this game to a given depth?"""
    try:
        choose(game, limits=("depth", "seconds"))
    except Unsuitable:
        return False
    return not game.hidden


def deepen(
    game: Game,
    engine: Engine | None,
    states: list[Any],
    known: Findings | None,
    ask: Ask,
    compiled: bool,
    stop: StopToken | None = None,
    simulations: Searcher | None = None,
) -> Iterator[Findings]:
    """Analyse the last of these states deeper and deeper, starting from what is known; yields the findings so far.

    simulations   the Monte Carlo search of this game, if that is its strongest algorithm
    """
    s = states[-1]
    if simulations is not None:
        yield from _simulate(game, simulations, states, stop)
        return
    findings = known or Findings(game.to_move(s))
    while not findings.done and findings.depth < DEEPEST:
        if engine is None:
            finished = _deepen_by_algorithm(game, states, findings, compiled, stop)
        else:
            for _ in _deepen_by_engine(engine, states, findings, ask):
                yield findings
            finished = True
        findings.done = not finished or all(_is_settled(found, findings.depth) for found in findings.moves.values())
        yield findings


def simulations_of(game: Game, compiled: bool) -> Searcher | None:
    """The Monte Carlo search of a game; None if another algorithm is stronger."""
    best = choose(game)[0]
    return best.make(best, game, None if compiled else False, {}) if best.simulates else None


def _simulate(game: Game, searcher: Searcher, states: list[Any], stop: StopToken | None) -> Iterator[Findings]:
    """Simulate more and more in one tree, which the searcher keeps for the next position too."""
    s, past = states[-1], states[:-1]
    findings = Findings(game.to_move(s))
    while not findings.done:
        analysis = searcher.analyse(Question(game, s, past, seconds=SIMULATED, stop=stop))
        findings.nodes += analysis.nodes
        findings.seconds += analysis.seconds
        findings.speed = analysis.nodes / analysis.seconds if analysis.seconds > 0 else 0.0
        findings.depth = analysis.depth
        findings.moves = {
            move.name: Finding(
                move.value, None, move.proven, analysis.depth, line_names(game, [s], move.line), move.share, move.error
            )
            for move in analysis.moves
            if move.value is not None
        }
        findings.done = analysis.exact or (stop is not None and stop.is_set)
        yield findings


def _deepen_by_engine(engine: Engine, states: list[Any], findings: Findings, ask: Ask) -> Iterator[None]:
    """One ply deeper, move by move, the best first: exact values of all moves, not bounds.

    Values of different depths cannot be compared, so a value that is not proven waits until all moves are searched.
    """
    game, s, depth = engine.game, states[-1], findings.depth + 1
    actions = {game.action_name(s, a): a for a in game.remembering(states).legal(s)}
    order = [*findings.ranked, *(name for name in actions if name not in findings.moves)]
    latest, nodes, seconds = dict(findings.moves), findings.nodes, findings.seconds
    can_only_prove = engine.compiled and not game.uses_history and not engine.memories[0].has_evaluation
    for name in order:
        if name in findings.moves and _is_settled(findings.moves[name], findings.depth):
            continue
        found = None
        began = time.perf_counter()
        if can_only_prove and depth >= PROVED_FROM:
            found = _proof(engine, states, actions[name], PROVING_NODES << depth - PROVED_FROM, findings, ask)
        if found is None:
            analysis = ask(engine, s, history=states[:-1], depth=depth, moves=[actions[name]])
            move = analysis.moves[0]
            assert move.value is not None
            findings.nodes += analysis.nodes
            found = Finding(move.value, move.distance, move.proven, depth, line_names(game, [s], move.line))
        findings.seconds += time.perf_counter() - began
        findings.speed = (findings.nodes - nodes) / (findings.seconds - seconds)
        latest[name] = found
        if found.proven or findings.depth == 0:
            findings.moves[name] = found
        yield
    findings.moves, findings.depth = latest, depth


def _proof(engine: Engine, states: list[Any], a: Any, nodes: int, findings: Findings, ask: Ask) -> Finding | None:
    """The proven value of a move; None if this many nodes are not enough."""
    game, s = engine.game, states[-1]
    after = game.result(s, a)
    if game.is_terminal(after):
        return None
    analysis = ask(engine, after, prove=True, nodes=nodes)
    findings.nodes += analysis.nodes
    if not analysis.exact or not isinstance(analysis.value, float):
        return None
    value, distance = analysis.value, analysis.distance
    if game.side(analysis.player) != game.side(findings.player):
        value = game.utility_bounds(findings.player)[0] + game.utility_bounds(analysis.player)[1] - value
    line = line_names(game, [s], (a, *analysis.line))
    return Finding(value, None if distance is None else distance + 1, True, analysis.depth + 1, line)


def _deepen_by_algorithm(
    game: Game, states: list[Any], findings: Findings, compiled: bool, stop: StopToken | None
) -> bool:
    """One ply deeper by the algorithm that suits the game; returns False if that takes too long."""
    s, depth = states[-1], findings.depth + 1
    best = choose(game, limits=("depth", "seconds"))[0]
    analysis = analyse(
        game,
        s,
        algorithm=None if best.observable else best,
        depth=depth,
        seconds=SLICE,
        deepening=False if best.observable else None,
        all_moves=True,
        history=states[:-1],
        compile=None if compiled else False,
        stop=stop,
    )
    findings.nodes += analysis.nodes
    findings.seconds += analysis.seconds
    findings.speed = analysis.nodes / analysis.seconds if analysis.seconds > 0 else 0.0
    if any(move.value is None for move in analysis.moves) or (not best.observable and analysis.depth < depth):
        return False
    findings.moves = {
        move.name: Finding(move.value, None, analysis.exact, depth, line_names(game, [s], move.line))
        for move in analysis.moves
        if move.value is not None
    }
    findings.depth = depth
    return True


def _is_settled(found: Finding, depth: int) -> bool:
    """Is a move's value final: proven, or the end of the game within the searched depth?"""
    return found.proven or (found.distance is not None and found.distance <= depth)


def copied(findings: Findings) -> Findings:
    """A snapshot, because the search changes the original."""
    return dataclasses.replace(findings, moves=dict(findings.moves))
