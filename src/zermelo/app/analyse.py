"""`zermelo analyse`: the best move in a position."""

from __future__ import annotations

import json
from typing import Any

import click

from zermelo.app.options import ALGORITHM, as_json, chosen_game, fen, game_argument, moves_argument, reached, setting
from zermelo.game.protocol import Game
from zermelo.search.algorithm import ENGINES
from zermelo.search.driver import analyse


@click.command("analyse")
@game_argument
@moves_argument
@setting
@fen
@click.option("--algorithm", type=ALGORITHM, help="Which algorithm; by default what suits the game.")
@click.option("--depth", type=int, help="How many plies to look ahead.")
@click.option("--nodes", type=int, help="How many states to visit at most.")
@click.option("--seconds", type=float, help="How long to search at most.")
@click.option("--all-moves", is_flag=True, help="Give every move its exact value.")
@click.option("--lines", type=int, help="How many of the best lines to give, with --algorithm engine or mtdf.")
@click.option("--compile/--plain", "compile_", default=None, help="Compiled, or as plain Python.")
@as_json
def analyse_command(
    game: str,
    moves: tuple[str, ...],
    settings: tuple[str, ...],
    fen: str | None,
    lines: int | None,
    as_json: bool,
    compile_: bool | None,
    **limits: Any,
) -> None:
    """Find the best move after MOVES.

    \b
    zermelo analyse tic_tac_toe
    zermelo analyse connect_four 4 4 4 --depth 12 --json
    zermelo analyse mygame.py:MyGame --seconds 5
    zermelo analyse othello f5 --algorithm engine --lines 3 --seconds 2
    zermelo analyse chess --fen "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1" --depth 3
    """
    chosen = chosen_game(game, settings)
    states = reached(chosen, moves, fen)
    if limits["algorithm"] in ENGINES:
        _by_engine(chosen, states, compile_, lines, as_json, **limits)
        return
    if lines is not None:
        raise ValueError(f"lines are for --algorithm {' or '.join(ENGINES)}; --all-moves gives every move its value")
    analysis = analyse(chosen, states[-1], history=states[:-1], compile=compile_, **limits)
    if as_json:
        click.echo(json.dumps(analysis.to_json()))
        return
    click.echo(chosen.text(states[-1]))
    click.echo(str(analysis))
    if analysis.strategy is not None:
        click.echo(str(analysis.strategy))


def _by_engine(
    game: Game,
    states: list[Any],
    compile_: bool | None,
    lines: int | None,
    as_json: bool,
    algorithm: str,
    all_moves: bool,
    **limits: Any,
) -> None:
    from zermelo.app.solve import report, with_lines
    from zermelo.search.engine import Engine

    engine = Engine(game, compile=compile_, mtdf=algorithm == "mtdf")
    if lines is None:
        lines = max(len(game.legal(states[-1])), 1) if all_moves else 1
    analysis = engine.think(states[-1], lines=lines, history=states[:-1], **limits)
    if as_json:
        click.echo(json.dumps(with_lines(analysis)))
        return
    click.echo(game.text(states[-1]))
    click.echo(report(analysis))
