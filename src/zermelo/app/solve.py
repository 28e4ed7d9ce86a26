"""`zermelo solve`: the proven value of a position, and how to achieve it; and the engine's answers as text."""

from __future__ import annotations

import itertools
import json
import math
import time
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from zermelo.app.options import (
    as_json,
    fen,
    game_argument,
    given,
    in_a_folder,
    moves_argument,
    setting,
    weights,
    with_a_move,
)
from zermelo.app.plotting import draw_convergence
from zermelo.app.progress import Progress
from zermelo.app.solve_all import solve_every_state
from zermelo.app.solve_hidden import LINEAR, SAMPLING, solve_hidden
from zermelo.app.waiting import until_stopped
from zermelo.equilibria.methods import DEFAULT, METHODS
from zermelo.game.protocol import Game
from zermelo.games.efg import write_efg
from zermelo.kernel.files import write_whole
from zermelo.kernel.stopping import StopToken
from zermelo.lookup.strong import ERROR, LIMIT
from zermelo.search.analysis import Analysis, Move
from zermelo.search.engine import Engine
from zermelo.search.registry import find
from zermelo.search.strategy import Strategy

SOUND = {"table": 0, "null_move": False, "reductions": False, "futility": False}
"""If positions can repeat, no search reaches the end of the game. It deepens until a win or a loss is proven, without
forward pruning, and without a table, which does not know how a position was reached."""
SECONDS_TO_LOOK = 1.0
SMALL, SECONDS_TO_PLAN = 60, 2.0
"""A strategy with at most this many lines, found within this many seconds, is printed by default."""
SHOWN_MOVES = 16
"""How much of a line is printed."""


@click.command("solve")
@game_argument
@moves_argument
@setting
@fen
@weights
@click.option("--seconds", type=click.FloatRange(min=0), help="Time limit in seconds; by default until proven.")
@click.option("--nodes", type=int, help="Node limit.")
@click.option("--table", default=64.0, show_default=True, help="MiB for the transposition table.")
@click.option("--threads", default=1, show_default=True, help="Number of threads.")
@click.option(
    "--strategy/--no-strategy",
    "strategy",
    default=None,
    help=f"Print the whole strategy, or none; by default if it has at most {SMALL} lines.",
)
@click.option("--all", "every", is_flag=True, help="Solve every state that can be reached, of a small game.")
@click.option("--limit", default=LIMIT, show_default=True, help="With --all: the most states.")
@click.option("--error", default=ERROR, show_default=True, help="With --all and chance: the largest error of a value.")
@click.option(
    "--save",
    type=click.Path(dir_okay=False),
    callback=in_a_folder,
    help="With --all, or hidden information: write to a file.",
)
@click.option(
    "--load",
    type=click.Path(exists=True, dir_okay=False),
    help="With --all: use a saved solution. With hidden information: show a saved strategy, or continue it.",
)
@click.option("--passes", "by_pass", is_flag=True, help="With --all: what each pass of the analysis finds, and why.")
@click.option("--rows", type=click.IntRange(min=0), help="How many rows of the policy or strategy to print.")
@click.option(
    "--method",
    type=click.Choice([*METHODS, SAMPLING, LINEAR]),
    default=DEFAULT,
    show_default=True,
    help="With hidden information: the method, by default that of --load; mccfr samples large games, lp is exact.",
)
@click.option(
    "--until",
    type=click.FloatRange(min=0),
    help="With hidden information: stop at this exploitability; by default 0.001.",
)
@click.option("--iterations", type=click.IntRange(min=1), help="With hidden information: how many iterations to make.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False),
    callback=in_a_folder,
    help="With hidden information: draw the exploitability against iterations (SVG), of --method or of all methods.",
)
@click.option(
    "--efg",
    type=click.Path(dir_okay=False),
    callback=in_a_folder,
    help="Write the game to a file for Gambit instead of solving it.",
)
@as_json
def solve_command(
    game: str,
    moves: tuple[str, ...],
    settings: tuple[str, ...],
    fen: str | None,
    weights: str | None,
    seconds: float | None,
    nodes: int | None,
    table: float,
    threads: int,
    strategy: bool | None,
    every: bool,
    limit: int,
    error: float,
    save: str | None,
    load: str | None,
    by_pass: bool,
    rows: int | None,
    method: str,
    until: float | None,
    iterations: int | None,
    plot: str | None,
    efg: str | None,
    as_json: bool,
) -> None:
    """Prove the value of the position after MOVES, and print a line that keeps it.

    GAME may also be a file of a saved game, as for `zermelo analyse`. A small strategy is printed too: a move against
    every reply, for the winner, or in a drawn position for the player to move.

    With hidden information, it finds an equilibrium: how often to play each move, in every information set or in that
    of the player to move after MOVES. GAME may be one of Gambit's files, FILE.efg.

    Ctrl-C stops the search and prints the best so far. Exit code 0: proven; 1: not proven.

    \b
    zermelo solve tic_tac_toe
    zermelo solve connect_four 4 4 4 4 4 2 --seconds 60
    zermelo solve nim --set "piles=(1,2,3)" --strategy
    zermelo solve tic_tac_toe --all --save solution.json
    zermelo solve tic_tac_toe 5 1 --all --load solution.json
    zermelo solve pig --set target=20 --all
    zermelo solve tic_tac_toe --all --passes
    zermelo solve chess --fen "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
    zermelo solve kuhn_poker --until 1e-6
    zermelo solve leduc_poker --method dcfr --seconds 10 --save leduc.npz
    zermelo solve matrix --set "payoffs=3 -1; -2 4" --method lp
    zermelo solve leduc_poker --iterations 1000 --plot leduc.svg
    zermelo solve kuhn_poker --efg kuhn.efg
    zermelo solve kuhn.efg
    """
    chosen, states = given(game, moves, settings, fen, weights)
    if efg is not None:
        write_whole(Path(efg), write_efg(chosen, states[-1]).encode())
        click.echo(f"written: {efg}", err=True)
        return
    if not chosen.hidden:
        _refuse_options_for_hidden_information(chosen)
    if every:
        options: dict[str, Any] = {"limit": limit, "error": error, "save": save, "load": load, "rows": rows}
        options["by_pass"] = by_pass
        solve_every_state(chosen, states, **options, as_json=as_json)
        return
    is_named = click.get_current_context().get_parameter_source("method") is ParameterSource.COMMANDLINE
    named = method if is_named else None
    if chosen.hidden and plot is not None:
        draw_convergence(chosen, plot, named, iterations, seconds)
        return
    if chosen.hidden:
        options = {"save": save, "load": load, "rows": rows, "seconds": seconds, "threads": threads}
        solve_hidden(chosen, states, method=named, until=until, iterations=iterations, **options, as_json=as_json)
        return
    with_a_move(game, chosen, states)
    engine = Engine(chosen, threads=threads, **(SOUND if chosen.uses_history else {"table": table}))
    limits: dict[str, Any] = {"seconds": math.inf if seconds is None else seconds, "nodes": nodes}
    analysis, is_stopped = _follow(engine, states, limits)
    if is_stopped:
        click.echo("stopped: the best so far", err=True)
    elif not analysis.exact and analysis.depth == 0:  # an unfinished proof has no move to show
        click.echo(f"not proven; the best after looking ahead for {SECONDS_TO_LOOK:g} s", err=True)
        analysis = engine.think(states[-1], seconds=SECONDS_TO_LOOK, history=states[:-1])
    plan = None
    if analysis.exact and strategy is not False:
        most = math.inf if strategy else SMALL
        plan, _ = until_stopped(lambda token: planned(engine, analysis, most, token), "writing the strategy")
    if as_json:
        click.echo(json.dumps({**with_lines(analysis), "strategy": None if plan is None else plan.to_json()}))
    else:
        click.echo(chosen.text(states[-1]))
        click.echo(report(analysis))
        if plan is not None:
            click.echo(f"the whole strategy for {chosen.player_name(plan.player)}:")
            for line in plan.lines(None):
                click.echo(f"  {line}")
    if not analysis.exact:
        raise SystemExit(1)


class _TooLarge(Exception):
    """The strategy is larger than requested."""


def _refuse_options_for_hidden_information(game: Game) -> None:
    """Raise an error if an option was given that only games with hidden information use."""
    context = click.get_current_context()
    for name in ("method", "until", "iterations", "plot"):
        if context.get_parameter_source(name) == ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is for games with hidden information, and {game.title} has none", context)


def planned(engine: Engine, analysis: Analysis, most: float, stop: StopToken | None = None) -> Strategy | None:
    """A proven move against every reply; None if that takes more lines, or too long, or is stopped.

    It is for the winner, or in a drawn position for the player to move.
    """
    game, player = engine.game, analysis.player
    if game.uses_history and analysis.distance is None:
        return None  # a draw by repetition has no end
    end = math.inf if most == math.inf else time.monotonic() + SECONDS_TO_PLAN
    if analysis.value == game.utility_bounds(player)[0]:
        player = next((p for p in range(game.players) if game.side(p) != game.side(player)), player)

    search = engine.think if game.uses_history else engine.solve

    def choose(state: Any) -> Any:
        found = search(state, seconds=max(end - time.monotonic(), 0.001), stop=stop)
        if not found.exact:
            raise _TooLarge
        return found.action

    plan = Strategy(game, analysis.state, player, choose)
    try:
        return plan if sum(1 for _ in itertools.islice(plan.lines(None), int(min(most, 1e6)) + 1)) <= most else None
    except _TooLarge:
        return None


def _follow(engine: Engine, states: list[Any], limits: dict[str, Any]) -> tuple[Analysis, bool]:
    """Search with progress on standard error; returns the answer, and whether the user pressed Ctrl-C."""
    progress = Progress(engine.game, states[-1], "proving")

    def search(token: StopToken) -> Analysis:
        searching = engine.think if engine.game.uses_history else engine.solve
        about: dict[str, Any] = {"history": states[:-1], "stop": token, "on_progress": progress.tell}
        return searching(states[-1], **about, **limits)

    def doing() -> str:
        return f"{progress()}; {engine.visited:,} nodes"

    return until_stopped(search, doing)


def report(analysis: Analysis) -> str:
    """A search's answer for people: the verdict, then a row for each move that was searched, the best first."""
    game = analysis.game
    who = game.player_name(analysis.player)
    moves = ranked(analysis)
    if analysis.action is None:
        rows = [f"chance moves: worth {analysis.verdict} to {who}, {_certainty(analysis.exact)}"]
    else:
        best = game.action_name(analysis.state, analysis.action)
        rows = [f"{who} to move: {best}, {analysis.verdict}, {_certainty(analysis.exact)}"]
    verdicts = [analysis.verdict_on(move) for move in moves]
    wide, named = max(map(len, verdicts), default=0), max((len(move.name) for move in moves), default=0)
    for number, (move, verdict) in enumerate(zip(moves, verdicts, strict=True), 1):
        names = analysis.names_of(move.line or analysis.line if move.action == analysis.action else move.line)
        line = " ".join(names[:SHOWN_MOVES]) + (" …" if len(names) > SHOWN_MOVES else "")
        if move.probability is not None:
            line = f"{100 * move.probability:>5.1f} %  {line}"
        if move.share is not None:
            prior = "" if move.prior is None else f" (prior {move.prior:.0%})"
            line = f"{move.share:>4.0%} of visits{prior}  {line}"
        sure = certainty(analysis, move)
        rows.append(f"{number:>3}  {move.name:<{named}}  {verdict:<{wide}}  {sure:<9}  {line}".rstrip())
    rows.append(_cost(analysis))
    rows += analysis.remarks
    return "\n".join(rows)


def _cost(analysis: Analysis) -> str:
    per_second = analysis.nodes / max(analysis.seconds, 1e-9)
    speed = f", {per_second / 1e6:.3g} M/s" if analysis.seconds > 1e-3 and per_second > 1e4 else ""
    mode = "" if analysis.compiled else ", plain Python"
    compiling = f" + {analysis.compile_seconds:.2g} s to compile" if analysis.compile_seconds > 0.1 else ""
    depth = f" to depth {analysis.depth}" if analysis.depth else ""
    return (
        f"{analysis.nodes:,} nodes{depth} in {analysis.seconds:.3g} s{speed}{mode}{compiling}, "
        f"{analysis.algorithm}: {analysis.reason}"
    )


def ranked(analysis: Analysis) -> list[Move]:
    """The moves that were searched, the best first: sooner wins and later losses before others of the same value."""
    searched = [move for move in analysis.moves if move.value is not None]
    if find(analysis.algorithm).lines:  # it has sorted them
        return lines_of(analysis) or searched

    def worth(move: Move) -> tuple[float, bool]:
        value = move.value[analysis.player] if isinstance(move.value, tuple) else move.value
        assert value is not None
        return -value, not move.exact  # a bound may be worth less

    return sorted(searched, key=worth)


def lines_of(analysis: Analysis) -> list[Move]:
    """The moves for which the engine has a line, the best first."""
    return [move for move in analysis.moves if move.line]


def with_lines(analysis: Analysis) -> dict[str, Any]:
    """The answer as plain data, with each line."""
    lines = [
        {
            "action": move.name,
            "value": move.value,
            "verdict": analysis.verdict_on(move),
            "distance": move.distance,
            "proven": move.proven,
            "line": list(analysis.names_of(move.line)),
        }
        for move in lines_of(analysis)
    ]
    return {**analysis.to_json(), "lines": lines}


def certainty(analysis: Analysis, move: Move) -> str:
    return _certainty(move.proven or (analysis.exact and move.action == analysis.action))


def _certainty(proven: bool) -> str:
    return "proven" if proven else "estimated"
