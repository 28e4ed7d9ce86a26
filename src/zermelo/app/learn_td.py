"""`zermelo learn --td`: a network that teaches itself a game, with its rating while it learns."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console

from zermelo.app.waiting import until_stopped
from zermelo.game.protocol import Game
from zermelo.games.resolve import parse_parameters
from zermelo.kernel.stopping import StopToken
from zermelo.learn.match import Match, match
from zermelo.learn.td.checkpoint import checkpoint_of
from zermelo.learn.td.run import TdLearned, TdProgress, learn_td, opening_for
from zermelo.networks import Network

SAME = ("games", "seconds", "trace", "rate", "last_rate", "exploration", "seed", "workers", "interval", "ratings",
        "rating_games", "out")  # fmt: skip


class Teller:
    """Tells how a run goes: the line of the moment, and one line for each rating."""

    def __init__(self, resumed: bool) -> None:
        self.said = "learning; Ctrl-C stops it"
        self.told: int | None = None
        self.resumed = resumed

    def __call__(self, progress: TdProgress) -> None:
        if self.told is None:
            self.told = 0 if progress.rating is None else progress.rating["games"]
            if self.resumed:
                click.echo(f"resuming after {progress.games:,} games", err=True)
        last = "" if progress.rating is None else f"; {rating_in_words(progress.rating)}"
        self.said = (
            f"{progress.doing}: {progress.games:,} games ({progress.share:.0%}), {progress.seconds:.0f} s, "
            f"{progress.per_second:,.0f} games/s, rate {progress.rate:.3g}{last}"
        )
        if progress.rating is not None and progress.rating["games"] > self.told:
            self.told = progress.rating["games"]
            found = progress.rating
            kept = "new best" if found["better"] else "the best stays"
            click.echo(
                f"{found['games']:>11,} games  {found['seconds']:7.0f} s  {rating_in_words(found)}: {kept}", err=True
            )


def rating_in_words(rating: dict[str, Any]) -> str:
    """A match against the best network so far."""
    points = f"{rating['points']:+.3f} ± {rating['error']:.3f} points per game"
    return f"{points} against the best, of {rating['against']:,} games"


def learn_by_td(words: str, settings: tuple[str, ...], game: Game, options: dict[str, Any]) -> None:
    """Teach a network, save it, and compare it with the game's own evaluation."""
    start = None if options["start"] is None else Network.load(options["start"], game)
    out, ray = options["out"], options["ray"]
    teller = Teller(out is not None and checkpoint_of(out).exists())

    def job(token: StopToken) -> TdLearned:
        return learn_td(
            words, parameters=parse_parameters(settings), hidden=(options["units"],) * options["layers"], start=start,
            ray=False if ray is None else ray or True, on_progress=teller, stop=token,
            **{name: options[name] for name in SAME if options[name] is not None},
        )  # fmt: skip

    learned, stopped = until_stopped(job, lambda: teller.said)
    played = None
    if options["match_games"] > 0 and not stopped and game.offers("evaluate"):
        played, stopped_later = until_stopped(
            lambda token: _match(learned, game, options, token), "a match against the previous evaluation"
        )
        played = None if stopped_later else played
    if options["as_json"]:
        found = {name: getattr(learned, name) for name in ("games", "unfinished", "positions", "seconds", "stopped")}
        against = None if played is None else asdict(played)
        click.echo(json.dumps({**found, "ratings": learned.ratings, "match": against, "file": out}))
    else:
        _print(learned, played, out)
    if stopped:
        if out is not None:
            click.echo(f"stopped after {learned.games:,} games; to resume, run the same command", err=True)
        sys.exit(130)


def _match(learned: TdLearned, game: Game, options: dict[str, Any], token: StopToken) -> Match:
    """A match against the evaluation that the game had before, one ply deep."""
    opening = 0 if game.chance else opening_for(learned.positions, learned.games)
    limits = {"games": options["match_games"], "depth": 1, "opening": opening, "seed": options["seed"]}
    return match(learned.apply(game), game, **limits, stop=token)


def _print(learned: TdLearned, played: Match | None, out: str | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    given_up = f", {learned.unfinished:,} given up" if learned.unfinished else ""
    console.print(
        f"{learned.games:,} games{given_up}, {learned.positions:,} positions in {learned.seconds:.1f} s; "
        f"the best network is that after {learned.network.record['best_after']:,} games"
    )
    if played is not None:
        console.print(f"against the previous evaluation, {played.games} games at depth 1: {played}")
    if out is not None:
        console.print(f"saved in {out}", markup=False)
    else:
        console.print("not saved: use --out FILE to keep the network")
