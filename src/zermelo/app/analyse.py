"""`zermelo analyse`: the best move in a position."""

from __future__ import annotations

import json
from typing import Any

import click

from zermelo.app.options import ALGORITHM, as_json, chosen_game, fen, game_argument, moves_argument, reached, setting
from zermelo.app.solve import lines_of, report, with_lines
from zermelo.games.resolve import parse_parameters
from zermelo.search.driver import analyse
from zermelo.search.registry import find
from zermelo.search.resolve import resolve


@click.command("analyse")
@game_argument
@moves_argument
@setting
@fen
@click.option("--algorithm", type=ALGORITHM, help="A name, or FILE.py:FUNCTION; by default the strongest that suits.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the algorithm.")
@click.option("--depth", type=int, help="Search depth in plies.")
@click.option("--nodes", type=int, help="Node limit.")
@click.option("--seconds", type=float, help="Time limit in seconds.")
@click.option("--all-moves", is_flag=True, help="Give every move its own value.")
@click.option("--lines", type=int, help="Number of best lines (engine, mtdf and mcts).")
@click.option("--compile/--plain", "compile_", default=None, help="Compiled, or as plain Python.")
@as_json
def analyse_command(
    game: str,
    moves: tuple[str, ...],
    settings: tuple[str, ...],
    fen: str | None,
    algorithm: str | None,
    options: tuple[str, ...],
    as_json: bool,
    compile_: bool | None,
    **limits: Any,
) -> None:
    """Find the best move after MOVES.

    \b
    zermelo analyse tic_tac_toe
    zermelo analyse connect_four 4 4 4 4 4 2 --seconds 3
    zermelo analyse mygame.py:MyGame --seconds 5
    zermelo analyse othello f5 --lines 3 --seconds 2
    zermelo analyse connect_four --algorithm alpha_beta --depth 12 --json
    zermelo analyse nim --algorithm mine.py:my_search
    zermelo analyse chess --fen "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1" --depth 3
    """
    chosen = chosen_game(game, settings)
    states = reached(chosen, moves, fen)
    analysis = analyse(
        chosen,
        states[-1],
        algorithm=None if algorithm is None else resolve(algorithm),
        history=states[:-1],
        compile=compile_,
        **limits,
        **parse_parameters(options),
    )
    if as_json:
        click.echo(json.dumps(with_lines(analysis)))
        return
    click.echo(chosen.text(states[-1]))
    has_lines = find(analysis.algorithm).lines and lines_of(analysis)
    click.echo(report(analysis) if has_lines else str(analysis))
    if analysis.strategy is not None:
        click.echo(str(analysis.strategy))
