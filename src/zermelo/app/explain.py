"""`zermelo explain`: a position's evaluation feature by feature, and why the best move is the best."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from zermelo.app.options import as_json, fen, game_argument, given, moves_argument, setting, weights
from zermelo.game.errors import Unsuitable
from zermelo.game.features import has_network
from zermelo.game.protocol import Game
from zermelo.networks.judgement import Judgement, judge
from zermelo.search.analysis import Analysis
from zermelo.search.contributions import Contribution, contributions, group_worths, has_features
from zermelo.search.engine.explain import Explanation

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
@click.option("--seconds", type=float, help=f"Time limit in seconds; by default {SECONDS:g} for the engine.")
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

    If a network evaluates the game: its outputs, and by how much each feature changes the value. If a network is
    added to a weighted sum: both.

    GAME may also be a file of a saved game, as for `zermelo analyse`.

    \b
    zermelo explain othello f5 d6
    zermelo explain chess e4 e5 Nf3 --all
    zermelo explain chess --fen "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1" --depth 12
    """
    chosen, states = given(game, moves, settings, fen, weights)
    s = states[-1]
    ended = chosen.remembering(states).is_terminal(s)
    p = max(chosen.to_move(s), 0)
    parts = contributions(chosen, s, p) if has_features(chosen) else ()
    judgement = judge(chosen, s, p) if has_network(chosen) and not ended else None
    limits = {"depth": depth, "seconds": seconds}
    why = None
    if not ended:
        why = _why(chosen, states, alternatives, limits)
    if as_json:
        click.echo(json.dumps(_data(chosen, s, p, parts, judgement, None if why is None else str(why))))
        return
    click.echo(chosen.text(s))
    if parts:
        _print(chosen, s, p, parts, everything, judgement)
    if judgement is not None:
        _print_judgement(chosen, judgement, everything)
    elif not parts:
        click.echo(f"the evaluation says {chosen.evaluate(s, p):.4g}; it is not a sum of features")
    click.echo("the game is over" if why is None else str(why))


def _print(
    game: Game, s: Any, p: int, parts: tuple[Contribution, ...], everything: bool, judgement: Judgement | None
) -> None:
    _print_groups(game, p, parts)
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
    if judgement is not None:
        table.add_row("the network", "", "", "", f"{judgement.advantage:+.4f}")
    table.add_row("the value", "", "", "", f"{game.evaluate(s, p):+.4f}")
    Console(highlight=False, width=100).print(table)


def _print_groups(game: Game, p: int, parts: tuple[Contribution, ...]) -> None:
    """What each group of features adds, for both sides, if the game has groups; the numbers are in its unit."""
    groups = group_worths(game, parts)
    if not groups:
        return
    unit = game.unit()
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column(f"group (worth in {unit.name})" if unit.name else "group (worth)")
    for heading in (game.player_name(p), "other", "difference"):
        table.add_column(heading, justify="right")
    for group in groups:
        own, other, worth = (value * _in_units(game) for value in (group.own, group.other, group.worth))
        table.add_row(group.name, f"{own:.2f}", f"{other:.2f}", f"{worth:+.2f}")
    Console(highlight=False, width=100).print(table)
    click.echo()


def _in_units(game: Game) -> float:
    """How many of the game's units a small value of 1 is: large ones may be compressed."""
    return game.unit().amount(0.001) / 0.001


def _why(game: Game, states: list[Any], alternatives: int, limits: dict[str, Any]) -> Explanation | Analysis:
    """The engine's reasons; for games that it cannot play, what the strongest suitable algorithm finds."""
    from zermelo.search.driver import analyse
    from zermelo.search.engine import Engine

    unlimited = all(limit is None for limit in limits.values())
    try:
        engine = Engine(game)
    except Unsuitable:
        return analyse(game, states[-1], history=states[:-1], **({"depth": 1} if unlimited else limits))
    if unlimited:
        limits = {"seconds": SECONDS}
    return engine.explain(states[-1], alternatives=alternatives, history=states[:-1], **limits)


def _print_judgement(game: Game, judgement: Judgement, everything: bool) -> None:
    """The outputs of the network, and the features that matter most."""
    player = game.player_name(judgement.player)
    where = f", phase: {judgement.phase}" if judgement.phase else ""
    if game.network.added:
        click.echo(f"\nthe network's correction for {player}{where}: {judgement.advantage:+.4f}")
    else:
        click.echo(f"the network's judgement for {player}{where}" if not judgement.known else f"known for {player}")
        width = max(len(name) for name, _ in judgement.outputs)
        for name, share in judgement.outputs:
            click.echo(f"  {name:<{width}}  {share:6.1%}")
        click.echo(f"  {'value':<{width}}  {judgement.value:+.4f}")
    shown = judgement.features if everything else judgement.features[:SHOWN]
    if not shown:
        return
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column("feature")
    table.add_column("amount", justify="right")
    table.add_column("changes the correction by" if game.network.added else "changes the value by", justify="right")
    for each in shown:
        table.add_row(each.name, f"{each.amount:.3g}", f"{each.worth:+.4f}")
    if len(shown) < len(judgement.features):
        table.add_row(f"{len(judgement.features) - len(shown)} others", "", "")
    Console(highlight=False, width=100).print(table)


def _data(
    game: Game, s: Any, p: int, parts: tuple[Contribution, ...], judgement: Judgement | None, why: str | None
) -> dict[str, Any]:
    rows: list[dict[str, Any]] = [{**vars(part), "worth": part.worth} for part in parts]
    found = {"game": game.name, "player": p, "value": game.evaluate(s, p), "features": rows, "why": why}
    if judgement is not None:
        inputs = [vars(each) for each in judgement.features]
        found |= {"network": judgement.advantage, "inputs": inputs} if game.network.added else {"features": inputs}
        found |= {"outputs": dict(judgement.outputs), "phase": judgement.phase, "known": judgement.known}
    return found
