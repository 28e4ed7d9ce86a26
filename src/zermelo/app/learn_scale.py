"""`zermelo learn` at scale: --generate fills a folder with positions, --train learns from one, --generations does both,
tests each new evaluation against the last, and keeps what wins."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from zermelo.app.waiting import until_stopped
from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.games.resolve import parse_parameters
from zermelo.generations import LoopSettings, improve
from zermelo.generations.status import COLUMNS, Status
from zermelo.kernel.stopping import StopToken
from zermelo.learn.positions import Generated, PlaySettings, generate, load
from zermelo.learn.training.fitting import Fitted, fit_evaluation
from zermelo.learn.training.train import TrainEpoch, TrainSettings

DEFAULT_POSITIONS = 100_000
TOLD_EVERY = 10.0
"""Seconds between two lines about progress, without a terminal."""


class Teller:
    """The line of the moment; without a terminal, some of these lines on standard error."""

    def __init__(self, said: str):
        self.said = said
        self.told = time.monotonic()

    def __call__(self, said: str, *, now: bool = False) -> None:
        self.said = said
        if now or (not sys.stderr.isatty() and time.monotonic() - self.told > TOLD_EVERY):
            self.told = time.monotonic()
            click.echo(said, err=True)


def play_settings(options: dict[str, Any]) -> PlaySettings:
    given = {name: options[name] for name in ("nodes", "balance", "random_moves", "decided", "seed")}
    return PlaySettings(**given, opening=tuple(options["opening"]))


def train_settings(options: dict[str, Any], model: str) -> TrainSettings:
    chosen: dict[str, Any] = {name: options[name] for name in ("epochs", "batch", "patience", "seed")}
    chosen["rate"] = options["rate"] or (0.01 if model == "sum" else 0.003)
    chosen["ahead"] = options["trace"] or 0.0
    usual = 0.3 if model == "sum" and chosen["ahead"] == 0.0 else 0.0
    chosen["results"] = usual if options["results"] is None else options["results"]
    return TrainSettings(**chosen, quiet=not options["all_positions"])


def model_of(game: Game, options: dict[str, Any]) -> str:
    """What is asked for; by default a weighted sum, or a network if the game has no weights."""
    return str(options["model"] or ("network" if len(game.weights) == 0 else "sum"))


def hidden_of(options: dict[str, Any]) -> tuple[int, ...]:
    if options["model"] == "two_views":
        return (int(options["units"]),)
    return (int(options["units"]),) * int(options["layers"])


def ray_of(options: dict[str, Any]) -> str | bool:
    return False if options["ray"] is None else options["ray"] or True


def generate_positions(words: str, settings: tuple[str, ...], options: dict[str, Any]) -> None:
    """Fill a folder with positions."""
    tell = Teller("starting; the first time, the game is compiled")

    def heard(found: Generated) -> None:
        tell(f"{found.positions:,} of {found.wanted:,} positions, {found.per_second:,.0f} per second")

    def job(token: StopToken) -> Generated:
        return generate(
            words, options["generate"], positions=options["positions"] or DEFAULT_POSITIONS,
            workers=options["workers"], ray=ray_of(options),
            parameters=parse_parameters(settings), evaluation=options["start"], on_progress=heard, stop=token,
            **asdict(play_settings(options)),
        )  # fmt: skip

    found, stopped = until_stopped(job, lambda: tell.said)
    if options["as_json"]:
        click.echo(json.dumps({**asdict(found), "per_second": found.per_second, "folder": options["generate"]}))
    else:
        click.echo(
            f"{found.positions:,} positions in {options['generate']}, {found.new:,} of them new, in "
            f"{found.seconds:.1f} s: {found.per_second:,.0f} per second"
        )
    if stopped:
        click.echo("stopped; to resume, run the same command", err=True)
        sys.exit(130)


def train_on(game: Game, options: dict[str, Any]) -> None:
    """Train an evaluation on the positions of a folder."""
    model = model_of(game, options)
    tell = Teller(f"reading {options['train']}")

    def heard(epoch: TrainEpoch) -> None:
        said = f"epoch {epoch.number:>3}: loss {epoch.loss:.4f}, on held-out games {epoch.held_out:.4f}"
        tell(said, now=True)

    def job(token: StopToken) -> Fitted:
        records = load(options["train"], game)
        if len(records) == 0:
            raise GameError(f"{options['train']} holds no positions: make some with --generate")
        tell(f"training on {len(records):,} positions")
        return fit_evaluation(
            game, records, train_settings(options, model), model=model, hidden=hidden_of(options),
            start=options["start"], by=options["by"], on_epoch=heard, stopped=lambda: token.is_set,
        )  # fmt: skip

    fitted, stopped = until_stopped(job, lambda: tell.said)
    trained = fitted.trained
    if options["out"] is not None:
        fitted.save(options["out"])
    if options["as_json"]:
        click.echo(json.dumps({"model": model, "training": trained.to_json(), "file": options["out"]}))
    else:
        click.echo(
            f"{trained.positions:,} positions of {trained.games:,} games, {trained.held_out:,} held out; "
            f"{trained.seconds:.1f} s by {trained.by}"
        )
        click.echo(
            f"loss on held-out games: {trained.before:.4f} before, {trained.after:.4f} after epoch {trained.best}"
        )
        click.echo("not saved: use --out FILE" if options["out"] is None else f"saved in {options['out']}")
    if stopped:
        sys.exit(130)


def learn_in_generations(words: str, settings: tuple[str, ...], game: Game, options: dict[str, Any]) -> None:
    """Run generations, and print a table of them."""
    if options["folder"] is None:
        raise click.UsageError("--generations needs --folder DIR, where the run is kept and resumed")
    model = model_of(game, options)
    loop = LoopSettings(
        positions=options["positions"] or DEFAULT_POSITIONS, keep=options["keep"], model=model,
        hidden=hidden_of(options), play=play_settings(options), train=train_settings(options, model),
        elo0=options["elo0"], elo1=options["elo1"], most_pairs=options["most_pairs"],
    )  # fmt: skip
    tell = Teller("starting; the first time, the game is compiled")

    def job(token: StopToken) -> Status:
        return improve(
            words, options["folder"], loop, generations=options["generations"], start=options["start"],
            parameters=parse_parameters(settings), workers=options["workers"], ray=ray_of(options),
            on_progress=lambda status: tell(status.doing), stop=token,
        )  # fmt: skip

    status, stopped = until_stopped(job, lambda: tell.said)
    folder = Path(options["folder"])
    if options["as_json"]:
        rows = [{**asdict(g), "decision": g.decision} for g in status.generations]
        click.echo(json.dumps({"best": status.best, "gained": status.gained, "generations": rows}))
    else:
        print_status(status)
        best = folder / "best.npz" if status.best else "none is better than the evaluation at the start"
        click.echo(f"best evaluation: {best}; status page: {folder / 'status.html'}")
    if stopped:
        click.echo("stopped; to resume, run the same command", err=True)
        sys.exit(130)


def print_status(status: Status) -> None:
    """The generations as a table."""
    table = Table(title=f"{status.title}: generations", title_justify="left")
    for name in COLUMNS:
        table.add_column(name, justify="left" if name == "decision" else "right", no_wrap=True)
    for row in status.rows():
        table.add_row(*[row[name] for name in COLUMNS])
    Console(highlight=False, width=max(Console().width, 112)).print(table)
    tests = [g.contest for g in status.generations if g.contest is not None]
    if tests:
        last = tests[-1]
        click.echo(
            f"A generation is kept if the LLR reaches {last['upper']:.2f} ({last['elo1']:g} Elo better), and not if it "
            f"falls to {last['lower']:.2f} ({last['elo0']:g} Elo)."
        )
