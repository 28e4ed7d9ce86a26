"""`zermelo learn`: learn an evaluation from self-play. Here: the options, and learning the weights of features."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from zermelo.app.options import as_json, chosen_game, csv_option, game_argument, setting, write_csv
from zermelo.app.waiting import waiting
from zermelo.game.protocol import Game
from zermelo.learn.learned import Learned
from zermelo.learn.linear import Progress, learn
from zermelo.learn.match import match
from zermelo.learn.report import Report

SHOWN = 30
"""How many weights are printed."""


BY_WEIGHTS, BY_TD, BY_SUPERVISION = "weights", "td", "supervised"
GENERATE, TRAIN, GENERATIONS = "generate", "train", "generations"
PLAYING, TRAINING = (GENERATE, GENERATIONS), (TRAIN, GENERATIONS)
WORKED_BY = {
    **dict.fromkeys(("rounds", "csv_file", "target", "quiet"), (BY_WEIGHTS,)),
    **dict.fromkeys(("games", "seconds", "match_games"), (BY_WEIGHTS, BY_TD, BY_SUPERVISION)),
    "out": (BY_WEIGHTS, BY_TD, BY_SUPERVISION, TRAIN),
    "trace": (BY_WEIGHTS, BY_TD, *TRAINING),
    "depth": (BY_WEIGHTS, BY_SUPERVISION),
    **dict.fromkeys(("units", "layers", "rate"), (BY_TD, BY_SUPERVISION, *TRAINING)),
    **dict.fromkeys(("results", "epochs", "batch"), (BY_SUPERVISION, *TRAINING)),
    "data": (BY_SUPERVISION,),
    "by": (BY_SUPERVISION, TRAIN),
    **dict.fromkeys(("last_rate", "exploration", "interval", "ratings", "rating_games"), (BY_TD,)),
    **dict.fromkeys(("workers", "ray"), (BY_TD, *PLAYING)),
    **dict.fromkeys(("positions", "nodes", "opening", "balance", "random_moves", "decided"), PLAYING),
    **dict.fromkeys(("model", "patience", "all_positions"), TRAINING),
    **dict.fromkeys(("folder", "keep", "elo0", "elo1", "most_pairs"), (GENERATIONS,)),
}
"""The methods that take an option; others take all."""


@click.command("learn")
@game_argument
@setting
@click.option("--td", is_flag=True, help="Teach a network by TD(λ) self-play.")
@click.option("--supervised", is_flag=True, help="Fit a network to search values and results, in mini-batches.")
@click.option("--generate", metavar="FOLDER", help="Only play: fill a folder with positions of self-play.")
@click.option(
    "--train", metavar="FOLDER", type=click.Path(exists=True), help="Only train: learn from the positions of a folder."
)
@click.option(
    "--generations", type=click.IntRange(1), help="Play, train and test, so many times; keep what wins. Needs --folder."
)
@click.option("--games", type=click.IntRange(1), help="Number of games in all.")
@click.option("--seconds", type=float, help="Approximate time limit.")
@click.option("--seed", default=0, show_default=True, help="Random seed.")
@click.option(
    "--from",
    "start",
    type=click.Path(exists=True, dir_okay=False),
    help="Start from saved weights, or a saved network.",
)
@click.option("--out", type=click.Path(dir_okay=False), help="File to save the weights or the network to.")
@click.option(
    "--match", "match_games", default=200, show_default=True, help="Games against the previous evaluation; 0 for none."
)
@click.option("--rounds", default=4, show_default=True, help="Weights: rounds of playing and fitting.")
@click.option(
    "--depth", default=1, show_default=True, help="Weights, supervised: search depth of the players, in plies."
)
@click.option(
    "--target", default="result", show_default=True, type=click.Choice(["result", "utility", "td"]),
    help="Weights: learn from results, from their size, or by TD(λ) with a search.",
)  # fmt: skip
@click.option("--quiet", is_flag=True, help="Weights: quiescence search, and quiet positions only.")
@click.option("--units", default=64, show_default=True, help="Network: units of a hidden layer.")
@click.option(
    "--layers", default=1, show_default=True, type=click.IntRange(0, 2),
    help="Network: hidden layers; 0 is a weighted sum.",
)  # fmt: skip
@click.option(
    "--lambda", "trace", type=float, help="λ, 0 to 1; by default 0 for a network and at scale, 0.7 for weights."
)
@click.option("--rate", type=float, help="Network: learning rate at the beginning; TD 0.1, supervised 0.003.")
@click.option("--last-rate", default=0.005, show_default=True, help="TD: learning rate at the end.")
@click.option("--exploration", type=float, help="TD: share of random moves; by default 0.1, and 0 with chance.")
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(0, 1024),
    help="Processes; 0: one for each processor. With --td, their weights are averaged after each round.",
)  # fmt: skip
@click.option(
    "--ray", is_flag=False, flag_value="", metavar="[ADDRESS]",
    help="Use the Ray cluster at ADDRESS, or a new one on this machine.",
)  # fmt: skip
@click.option(
    "--interval", default=200, show_default=True, type=click.IntRange(1), help="TD: games of a worker in a round."
)
@click.option(
    "--ratings", default=20, show_default=True, type=click.IntRange(1),
    help="TD: matches against the best network so far.",
)  # fmt: skip
@click.option(
    "--rating-games", default=1000, show_default=True, type=click.IntRange(2), help="TD: games of such a match."
)
@click.option(
    "--data", multiple=True, type=click.Path(exists=True, dir_okay=False),
    help="Supervised: games to learn from (.jsonl, .pgn, .pdn, .sgf, .mat), instead of self-play.",
)  # fmt: skip
@click.option(
    "--results", type=click.FloatRange(0, 1),
    help="Share of the result in the target, the rest is a search; supervised 0.5, at scale 0.3 (a network: 0).",
)  # fmt: skip
@click.option("--epochs", default=10, show_default=True, type=click.IntRange(1), help="The most passes.")
@click.option("--batch", default=256, show_default=True, type=click.IntRange(1), help="Positions in a mini-batch.")
@click.option(
    "--by", default="auto", show_default=True, type=click.Choice(["auto", "numpy", "jax"]),
    help="What computes a network; auto is JAX if installed (the extra `train`).",
)  # fmt: skip
@click.option("--folder", type=click.Path(file_okay=False), help="Generations: where the run is kept and resumed.")
@click.option(
    "--positions", type=click.IntRange(1), help="Positions to generate, for each generation; default 100,000."
)
@click.option("--nodes", default=500, show_default=True, type=click.IntRange(1), help="About how many nodes per move.")
@click.option(
    "--opening",
    nargs=2,
    type=int,
    default=(4, 10),
    show_default=True,
    help="Fewest and most random plies at the start.",
)
@click.option(
    "--balance", type=float, help="Furthest value from a draw after the opening; default a quarter of the range."
)
@click.option("--random-moves", default=0.01, show_default=True, help="Chance of a random move after the opening.")
@click.option("--decided", type=float, help="End games that are this far from a draw for six plies; default: never.")
@click.option(
    "--model", type=click.Choice(["sum", "network", "two_views"]),
    help="What is trained: the weights of a sum (default if the game has weights), or a network.",
)  # fmt: skip
@click.option("--patience", default=3, show_default=True, type=click.IntRange(1), help="Epochs without progress.")
@click.option("--all-positions", is_flag=True, help="Train on positions that are not quiet, too.")
@click.option(
    "--keep", default=3, show_default=True, type=click.IntRange(1), help="Generations whose positions are learned from."
)
@click.option("--elo0", default=0.0, show_default=True, help="SPRT: the gain that is not enough.")
@click.option("--elo1", default=10.0, show_default=True, help="SPRT: the gain that is enough.")
@click.option(
    "--max-pairs", "most_pairs", default=10_000, show_default=True, type=click.IntRange(1),
    help="SPRT: pairs of games after which a test ends undecided.",
)  # fmt: skip
@csv_option("Write the weights as CSV.")
@as_json
@click.pass_context
def learn_command(
    context: click.Context, /, game: str, settings: tuple[str, ...], td: bool, supervised: bool, **options: Any
) -> None:
    """Learn an evaluation from games: weights of features, or with --td, --supervised or --model network a network.

    Ctrl-C ends it early and keeps what was learned so far. With --td, --generate and --generations, the same command
    then resumes the run.

    \b
    zermelo learn breakthrough --seconds 20 --out breakthrough.npz
    zermelo learn breakthrough --games 10000 --from breakthrough.npz --out better.npz
    zermelo learn mygame.py:MyGame --depth 2 --csv weights.csv
    zermelo match breakthrough engine:weights=better.npz engine --games 100
    zermelo learn backgammon --td --games 500000 --units 128 --workers 4 --out network.npz
    zermelo learn breakthrough --supervised --games 2000 --depth 2 --units 32 --out network.npz
    zermelo learn connect_four --td --seconds 60 --lambda 0.7 --out network.npz
    zermelo learn breakthrough --generations 5 --folder run --positions 200000 --workers 0
    zermelo learn chess --generate data --positions 5000000 --nodes 500 --workers 0
    zermelo learn chess --train data --out weights.npz
    """
    flags = {BY_TD: td, BY_SUPERVISION: supervised}
    flags |= {name: options[name] is not None for name in (GENERATE, TRAIN, GENERATIONS)}
    chosen_methods = [name for name, given in flags.items() if given]
    if len(chosen_methods) > 1:
        raise click.UsageError(f"choose one of {' or '.join(f'--{name}' for name in chosen_methods)}", context)
    method = chosen_methods[0] if chosen_methods else BY_WEIGHTS
    _require_known(context, method)
    if method == BY_TD and options["workers"] == 0:
        options["workers"] = os.cpu_count() or 1
    out = options["out"]
    if out is not None and not Path(out).absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder {str(Path(out).parent)!r}", param_hint="--out")
    chosen = chosen_game(game, settings)
    if td:
        from zermelo.app.learn_td import learn_by_td

        learn_by_td(game, settings, chosen, options)
    elif supervised:
        from zermelo.app.learn_supervised import learn_supervised

        learn_supervised(chosen, options)
    elif method == GENERATE:
        from zermelo.app.learn_scale import generate_positions

        generate_positions(game, settings, options)
    elif method == TRAIN:
        from zermelo.app.learn_scale import train_on

        train_on(chosen, options)
    elif method == GENERATIONS:
        from zermelo.app.learn_scale import learn_in_generations

        learn_in_generations(game, settings, chosen, options)
    else:
        _learn_weights(chosen, options)


def _require_known(context: click.Context, method: str) -> None:
    """Raise an error about an option that this method does not take."""
    for parameter in context.command.params:
        methods = WORKED_BY.get(parameter.name or "", (method,))
        given = context.get_parameter_source(parameter.name or "") == ParameterSource.COMMANDLINE
        if given and method not in methods:
            flags = " or ".join("weights, without another method" if m == BY_WEIGHTS else f"--{m}" for m in methods)
            raise click.UsageError(f"{parameter.opts[0]} is for learning with {flags}", context)


def _learn_weights(chosen: Game, options: dict[str, Any]) -> None:
    """Learn the weights of a game's features."""
    start, out, depth, quiet = options["start"], options["out"], options["depth"], options["quiet"]
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
            chosen, start=before, on_progress=tell, trace=0.7 if options["trace"] is None else options["trace"],
            **{name: options[name] for name in ("games", "seconds", "rounds", "depth", "seed", "target", "quiet")},
        )  # fmt: skip
    if out is not None:
        learned.save(out)
    played = None
    if options["match_games"] > 0:
        old = chosen if before is None else before.apply(chosen)
        with waiting("a match against the previous weights"), contextlib.suppress(KeyboardInterrupt):
            limits = {"games": options["match_games"], "depth": depth, "seed": options["seed"], "quiet": quiet}
            played = match(learned.apply(chosen), old, **limits)
    write_csv(options["csv_file"], learned)
    if options["as_json"]:
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
