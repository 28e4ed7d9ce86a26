"""`zermelo bench`: the signature of the engine's search, and how fast a game is, including your own."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import click

from zermelo.app.options import GAME, as_json, chosen_game, setting
from zermelo.app.waiting import waiting
from zermelo.game.errors import ZermeloError
from zermelo.game.protocol import Game
from zermelo.search.driver import analyse
from zermelo.search.perft import perft
from zermelo.search.registry import choose, suitable
from zermelo.search.signature import SUITES, signatures

SECONDS = 1.0
DEEPEST = 30


@click.command("bench")
@click.argument("game", required=False, type=GAME)
@setting
@click.option("--seconds", default=SECONDS, show_default=True, type=click.FloatRange(0.01), help="For each speed.")
@as_json
def bench_command(game: str | None, settings: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """Print the engine's signature, the nodes of fixed positions; or of your own game, how fast it is searched.

    The signature changes only if the search changes; speeds depend on the machine.

    \b
    zermelo bench
    zermelo bench othello
    zermelo bench mygame.py
    zermelo bench tic_tac_toe --set m=5 --set n=5 --seconds 3
    """
    if game is not None and (settings or game not in {suite.game for suite in SUITES}):
        _speeds(chosen_game(game, settings), seconds, as_json)
        return
    with waiting("searching"):
        found = signatures(None if game is None else [game])
    total, spent = sum(s.nodes for s in found), sum(s.seconds for s in found)
    if as_json:
        games = {s.game: {"nodes": s.nodes, "seconds": s.seconds} for s in found}
        click.echo(json.dumps({"signature": total, "seconds": spent, "games": games}))
        return
    for s in found:
        click.echo(
            f"{s.game:<14} {s.positions} positions, depth {s.depth:>2} {s.nodes:>14,} nodes "
            f"{s.nodes_per_second / 1e6:>7.1f} M/s"
        )
    click.echo(f"{'signature':<34} {total:>14,} nodes {total / max(spent, 1e-9) / 1e6:>7.1f} M/s")


def _speeds(game: Game, seconds: float, as_json: bool) -> None:
    """Print how many sequences of moves, nodes and simulations a second there are, compiled and not."""
    rows = []
    for compile in (True, False):
        for name, measure in _measures(game).items():
            with waiting(f"{name}, {'compiled' if compile else 'plain Python'}"):
                row = _measured(name, measure, game, seconds, compile)
            if row is not None:
                rows.append(row)
    if as_json:
        click.echo(json.dumps({"game": game.name, "speeds": rows}))
        return
    click.echo(game.title)
    for row in rows:
        mode = "compiled" if row["compiled"] else "plain Python"
        each = f"{row['count']:>14,} {row['unit']} {_per_second(row['per_second']):>12}"
        click.echo(f"{row['what']:<11} {mode:<12} {row['depth']:>9} {each}")


def _per_second(speed: float) -> str:
    for size, unit in ((1e6, "M/s"), (1e3, "k/s")):
        if speed >= size:
            return f"{speed / size:.1f} {unit}"
    return f"{speed:.0f} /s"


def _measured(name: str, measure: Measure, game: Game, seconds: float, compile: bool) -> dict[str, Any] | None:
    """One speed; None if the game has no such search, or cannot be compiled."""
    try:
        depth, count, spent, unit = measure(game, seconds, compile)
    except ZermeloError:
        return None
    return {
        "what": name,
        "compiled": compile,
        "depth": depth,
        "count": count,
        "unit": unit,
        "seconds": spent,
        "per_second": count / max(spent, 1e-9),
    }


Measure = Callable[[Game, float, bool], tuple[str, int, float, str]]


def _perft(game: Game, seconds: float, compile: bool) -> tuple[str, int, float, str]:
    """Count the sequences of moves, deeper and deeper."""
    perft(game, 1, compile=compile)  # so that it is compiled
    count, spent, depth = 1, 0.0, 0
    while depth < DEEPEST and spent < seconds / 4:
        began = time.perf_counter()
        found = perft(game, depth + 1, compile=compile)
        if found == 0:
            break  # the game is over before
        count, spent, depth = found, time.perf_counter() - began, depth + 1
    return f"depth {depth}", count, spent, "moves"


def _search(algorithm: str, unit: str) -> Measure:
    def measure(game: Game, seconds: float, compile: bool) -> tuple[str, int, float, str]:
        found = analyse(game, algorithm=algorithm, seconds=seconds, compile=compile)
        return f"depth {found.depth}", found.nodes, found.seconds, unit

    return measure


def _measures(game: Game) -> dict[str, Measure]:
    """What is measured: counting, a textbook search, and the strong searches that suit the game."""
    there = [each.name for each in suitable(game.traits)]
    textbook = [choose(game, observable=True)[0].name] if suitable(game.traits, observable=True) else []
    units = {"mcts": "simulations"}
    names = [*textbook, *(name for name in ("engine", "mcts") if name in there and name not in textbook)]
    return {"perft": _perft, **{name: _search(name, units.get(name, "nodes")) for name in names}}
