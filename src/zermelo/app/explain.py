"""`zermelo explain`: a position's evaluation feature by feature, and why the best move is the best."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from zermelo.app.options import as_json, fen, game_argument, given, moves_argument, setting, weights
from zermelo.game.protocol import Game
from zermelo.search.contributions import Contribution, contributions, has_features

SECONDS = 1.0
SHOWN = 16
"""How many of the most important features are printed."""


@click.command("explain")
@game_argument
@moves_argument
@setting
@fen
@weights
@click.option("--all", "everything", is_flag=True, help=f"All features; by default the {SHOWN} most important.")
@click.option("--depth", type=int, help="Search depth in plies.")
@click.option("--seconds", type=float, help=f"Time limit of the engine in seconds; by default {SECONDS:g}.")
@click.option(
    "--alternatives",
    default=3,
    show_default=True,
    type=click.IntRange(0),
    help="Number of moves to compare with the best one.",
)
@as_json
def explain_command(
    game: str,
    moves: tuple[str, ...],
    settings: tuple[str, ...],
    fen: str | None,
    weights: str | None,
    everything: bool,
    depth: int | None,
    seconds: float | None,
    alternatives: int,
    as_json: bool,
) -> None:
    """Explain the position after MOVES: the features that its evaluation adds up, the engine's move, and why.

    GAME may also be a file of a saved game, as for `zermelo analyse`.

    \b
    zermelo explain othello f5 d6
    zermelo explain chess e4 e5 Nf3 --all
    zermelo explain chess --fen "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1" --depth 12
    """
    from zermelo.search.engine import Engine

    chosen, states = given(game, moves, settings, fen, weights)
    s = states[-1]
    ended = chosen.remembering(states).is_terminal(s)
    p = max(chosen.to_move(s), 0)
    parts = contributions(chosen, s, p) if has_features(chosen) else ()
    limits = {"depth": depth, "seconds": SECONDS if seconds is None and depth is None else seconds}
    why = None
    if not ended:
        why = Engine(chosen).explain(s, alternatives=alternatives, history=states[:-1], **limits)
    if as_json:
        click.echo(json.dumps(_data(chosen, s, p, parts, None if why is None else str(why))))
        return
    click.echo(chosen.text(s))
    if parts:
        _print(chosen, s, p, parts, everything)
    else:
        click.echo(f"the evaluation says {chosen.evaluate(s, p):.4g}; it is not a sum of features")
    click.echo("the game is over" if why is None else str(why))


def _print(game: Game, s: Any, p: int, parts: tuple[Contribution, ...], everything: bool) -> None:
    shown = parts if everything else parts[:SHOWN]
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column("feature")
    for heading in (game.player_name(p), "other", "weight", "worth"):
        table.add_column(heading, justify="right")
    for part in shown:
        numbers = (f"{part.own:.3g}", f"{part.other:.3g}", f"{part.weight:.4f}", f"{part.worth:+.4f}")
        table.add_row(part.name, *numbers)
    if len(shown) < len(parts):
        rest = sum(part.worth for part in parts[len(shown) :])
        table.add_row(f"{len(parts) - len(shown)} others", "", "", "", f"{rest:+.4f}")
    table.add_row("the sum", "", "", "", f"{sum(part.worth for part in parts):+.4f}")
    table.add_row("the value", "", "", "", f"{game.evaluate(s, p):+.4f}")
    Console(highlight=False, width=100).print(table)


def _data(game: Game, s: Any, p: int, parts: tuple[Contribution, ...], why: str | None) -> dict[str, Any]:
    rows = [{**vars(part), "worth": part.worth} for part in parts]
    return {"game": game.name, "player": p, "value": game.evaluate(s, p), "features": rows, "why": why}
