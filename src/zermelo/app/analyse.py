"""`zermelo analyse`: the best move in a position."""

from __future__ import annotations

import json
from typing import Any

import click
from click.core import ParameterSource

from zermelo.app.interrupts import STOPPED
from zermelo.app.options import (
    ALGORITHM,
    as_json,
    fen,
    game_argument,
    given,
    moves_argument,
    setting,
    weights,
    with_a_move,
)
from zermelo.app.progress import Progress
from zermelo.app.solve import report, with_lines
from zermelo.app.waiting import until_stopped
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import parse_parameters
from zermelo.kernel.stopping import StopToken
from zermelo.search.analysis import Analysis
from zermelo.search.comparison import compare as compared
from zermelo.search.driver import analyse
from zermelo.search.resolve import resolve

ALL = "all"


def _lines(context: click.Context, parameter: click.Parameter, text: str | None) -> int | str | None:
    """A number of lines, or all."""
    if text is None or text == ALL:
        return text
    try:
        return int(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is not a number or 'all'", context, parameter) from None


@click.command("analyse")
@game_argument
@moves_argument
@setting
@fen
@weights
@click.option("--algorithm", type=ALGORITHM, help="A name, or FILE.py:FUNCTION; by default the strongest that suits.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the algorithm.")
@click.option("--depth", type=int, help="Search depth in plies.")
@click.option("--nodes", type=int, help="Node limit.")
@click.option("--seconds", type=float, help="Time limit in seconds.")
@click.option("--all-moves", is_flag=True, help="Give every move its own value.")
@click.option("--lines", callback=_lines, metavar="NUMBER", help="Number of best lines (engine, mtdf, mcts), or 'all'.")
@click.option("--compare", is_flag=True, help="Hidden information: pimc, IS-MCTS and the equilibrium side by side.")
@click.option("--compile/--plain", "compile_", default=None, help="Compiled, or as plain Python.")
@as_json
def analyse_command(
    game: str,
    moves: tuple[str, ...],
    settings: tuple[str, ...],
    fen: str | None,
    weights: str | None,
    algorithm: str | None,
    options: tuple[str, ...],
    compare: bool,
    as_json: bool,
    compile_: bool | None,
    **limits: Any,
) -> None:
    """Find the best move after MOVES, and list the moves, the best first.

    GAME may also be a file of a saved game (PGN, PDN, SGF, .mat or JSON lines): its last position is analysed, after
    MOVES. Ctrl-C stops the search and prints what it has found.

    \b
    zermelo analyse tic_tac_toe
    zermelo analyse connect_four 4 4 4 4 4 2 --seconds 3
    zermelo analyse mygame.py:MyGame --seconds 5
    zermelo analyse othello f5 --lines 3 --seconds 2
    zermelo analyse connect_four 4 4 4 4 4 2 2 3 --lines all
    zermelo analyse connect_four --algorithm alpha_beta --depth 12 --json
    zermelo analyse nim --algorithm mine.py:my_search
    zermelo analyse game.pgn --seconds 5
    zermelo analyse roads day1 --compare
    zermelo analyse chess --fen "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1" --depth 3
    """
    chosen, states = given(game, moves, settings, fen, weights)
    with_a_move(game, chosen, states)
    if compare:
        _compare(chosen, states[-1], compile_, as_json)
        return
    progress = Progress(chosen, states[-1], "searching")
    if limits["lines"] == ALL:
        limits["lines"], limits["all_moves"] = None, True

    def search(token: StopToken) -> Analysis:
        return analyse(
            chosen,
            states[-1],
            algorithm=None if algorithm is None else resolve(algorithm),
            history=states[:-1],
            compile=compile_,
            stop=token,
            on_progress=progress.tell,
            **limits,
            **parse_parameters(options),
        )

    analysis, is_stopped = until_stopped(search, progress)
    if is_stopped:
        click.echo("stopped: what was found so far", err=True)
    opening = chosen.opening(states)
    notes = [*([opening] if opening else []), *chosen.notes(states[-1])]
    if as_json:
        click.echo(json.dumps({**with_lines(analysis), "notes": notes}))
    else:
        mover = chosen.to_move(states[-1])
        click.echo(chosen.text(chosen.seen_by(states[-1], mover) if chosen.hidden and mover != CHANCE else states[-1]))
        for line in notes:
            click.echo(line)
        click.echo(report(analysis))
        if analysis.strategy is not None:
            click.echo(str(analysis.strategy))
    if is_stopped:
        raise SystemExit(STOPPED)


def _compare(game: Game, state: Any, compile: bool | None, as_json: bool) -> None:
    """Print what the algorithms for hidden information say about a position."""
    context = click.get_current_context()
    for name in ("algorithm", "options", "depth", "nodes", "seconds", "all_moves", "lines"):
        if context.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--compare has its own limits: leave out --{name.replace('_', '-')}", context)
    found, is_stopped = until_stopped(lambda token: compared(game, state, compile=compile, stop=token), "comparing")
    if as_json:
        click.echo(json.dumps(found.to_json()))
    else:
        click.echo(game.text(game.seen_by(state, game.to_move(state))))
        click.echo(str(found))
        for opinion in found.opinions:
            for remark in opinion.analysis.remarks:
                click.echo(f"{opinion.title}: {remark}")
    if is_stopped:
        raise SystemExit(STOPPED)
