"""`zermelo learn`: learn the weights of a game's features from self-play."""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from zermelo.app.options import as_json, chosen_game, csv_option, game_argument, setting, write_csv
from zermelo.app.waiting import waiting
from zermelo.learn.learned import Learned
from zermelo.learn.linear import Progress, learn
from zermelo.learn.match import match
from zermelo.learn.report import Report

SHOWN = 30
"""How many weights are printed."""


@click.command("learn")
@game_argument
@setting
@click.option("--games", type=int, help="Number of games, in all rounds together.")
@click.option("--seconds", type=float, help="Approximate time limit.")
@click.option("--rounds", default=4, show_default=True, help="Rounds of playing and fitting.")
@click.option("--depth", default=1, show_default=True, help="Search depth of the players, in plies.")
@click.option("--seed", default=0, show_default=True, help="Random seed.")
@click.option("--from", "start", type=click.Path(exists=True, dir_okay=False), help="Start from saved weights.")
@click.option("--out", type=click.Path(dir_okay=False), help="File to save the weights to.")
@click.option(
    "--match", "match_games", default=200, show_default=True, help="Games against the previous weights; 0 for none."
)
@csv_option("Write the weights as CSV.")
@as_json
def learn_command(
    game: str,
    settings: tuple[str, ...],
    games: int | None,
    seconds: float | None,
    rounds: int,
    depth: int,
    seed: int,
    start: str | None,
    out: str | None,
    match_games: int,
    csv_file: str | None,
    as_json: bool,
) -> None:
    """Learn an evaluation from self-play.

    Ctrl-C ends it early and keeps the weights learned so far.

    \b
    zermelo learn breakthrough --seconds 20 --out breakthrough.npz
    zermelo learn breakthrough --games 10000 --from breakthrough.npz --out better.npz
    zermelo learn mygame.py:MyGame --depth 2 --csv weights.csv
    zermelo match breakthrough engine:weights=better.npz engine --games 100
    """
    chosen = chosen_game(game, settings)
    if out is not None and not Path(out).parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(Path(out).parent)!r}", param_hint="--out")
    before = None if start is None else Learned.load(start, chosen)
    told = ["learning; Ctrl-C ends it and keeps what was learned"]

    def tell(progress: Progress) -> None:
        known = "" if progress.log_loss is None else f", log loss {progress.log_loss:.4f}"
        told[0] = (
            f"round {progress.round} of {progress.rounds}: {progress.doing}, {progress.games:,} games, "
            f"{progress.positions:,} positions, {progress.seconds:.0f} s{known}"
        )

    with waiting(lambda: told[0]):
        learned = learn(
            chosen, games=games, seconds=seconds, rounds=rounds, depth=depth, seed=seed, start=before, on_progress=tell
        )
    if out is not None:
        learned.save(out)
    played = None
    if match_games > 0:
        old = chosen if before is None else before.apply(chosen)
        with waiting("a match against the previous weights"), contextlib.suppress(KeyboardInterrupt):
            played = match(learned.apply(chosen), old, games=match_games, depth=depth, seed=seed)
    write_csv(csv_file, learned)
    if as_json:
        report = None if learned.report is None else learned.report.to_json()
        found = {"report": report, "match": None if played is None else asdict(played), "file": out}
        click.echo(json.dumps({**found, "weights": learned.table()}))
        return
    console = Console()
    print_weights(learned, console)
    if learned.report is not None:
        print_report(learned.report, console)
    if played is not None:
        console.print(f"against the previous weights, {played.games} games at depth {depth}: {played}")
    if out is not None:
        console.print(f"saved in {out}", highlight=False, markup=False, soft_wrap=True)


def print_weights(learned: Learned, console: Console) -> None:
    """Print the weights with their standard errors; of many, those that are furthest from 0, in errors."""
    rows = learned.table()
    if len(rows) > SHOWN:
        rows = sorted(rows, key=lambda row: -abs(row["weight"]) / max(row["error"], 1e-300))[:SHOWN]
    more = f", {SHOWN} of {len(learned.weights):,}" if len(rows) < len(learned.weights) else ""
    table = Table(title=f"Weights{more}", title_justify="left")
    table.add_column("feature")
    for name in ("weight", "standard error"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(escape(row["feature"]), f"{row['weight']:+.4f}", f"± {row['error']:.2g}")
    console.print(table)


def print_report(report: Report, console: Console) -> None:
    """Print the games played and the accuracy of the predictions, as tables."""
    title = f"{report.games:,} games in {report.seconds:.1f} s, learned from {report.positions:,} positions"
    table = Table(title=f"{title}{', stopped early' if report.stopped else ''}", title_justify="left")
    for name in (
        f"of {report.held_out_games:,} held-out games",
        "positions",
        "predicted by",
        "log loss",
        "Brier",
        "accuracy",
    ):
        table.add_column(name, justify="left" if name == "predicted by" or name[:2] == "of" else "right")
    for part in (report.whole, *report.phases):
        rows = (("base rate", part.base), ("previous weights", part.before), ("learned weights", part.learned))
        for i, (name, scores) in enumerate(rows):
            first = (part.name, f"{part.positions:,}") if i == 0 else ("", "")
            numbers = (f"{scores.log_loss:.4f}", f"{scores.brier:.4f}", f"{scores.accuracy:.1%}")
            table.add_row(*first, name, *numbers, end_section=i == 2)
    console.print(table)
    bins = Table(title="Calibration", title_justify="left")
    for name in ("positions", "predicted", "observed"):
        bins.add_column(name, justify="right")
    for one in report.calibration:
        bins.add_row(f"{one.positions:,}", f"{one.foretold:.1%}", f"{one.happened:.1%}")
    console.print(bins)
