"""`zermelo learn --supervised`: a network fitted to the values of a search and the results of games."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click
from rich.console import Console

from zermelo.app.waiting import until_stopped
from zermelo.game.protocol import Game
from zermelo.kernel.stopping import StopToken
from zermelo.learn.labelled import Labeller, saved_games
from zermelo.learn.match import Match, match
from zermelo.learn.supervised import Epoch, Fit, fit_network
from zermelo.learn.td.settings import require_teachable
from zermelo.networks import Network, with_network

DEFAULT_GAMES, DEFAULT_RATE = 1000, 0.003
OPENING = 4
"""Random plies at the beginning of a match's games."""


class Work:
    """One call of the command: games, labels, fit, match."""

    def __init__(self, game: Game, options: dict[str, Any]):
        require_teachable(game)
        self.options = options
        start = None if options["start"] is None else Network.load(options["start"], game)
        self.game = game if start is None else with_network(game, start)
        hidden = (options["units"],) * options["layers"]
        self.network = Network.for_game(game, hidden, options["seed"]) if start is None else start.copy()
        share = options["results"]
        if share is None:
            share = 0.5 if self.network.outputs == 1 and self.game.offers("evaluate") else 1.0
        self.labeller = Labeller(self.game, depth=options["depth"], results=share, seed=options["seed"])
        self.share = share
        self.said = "playing"

    def games(self) -> Iterator[list[Any]]:
        """The games to learn from."""
        wanted = self.options["games"]
        if self.options["data"]:
            found = saved_games(self.options["data"], self.game)
        else:
            wanted = wanted or (None if self.options["seconds"] else DEFAULT_GAMES)
            found = self.labeller.played(wanted or sys.maxsize)
        for number, states in enumerate(found):
            if wanted is not None and number >= wanted:
                return
            self.said = f"labelling the positions of games: {number + 1:,}"
            yield states

    def run(self, token: StopToken) -> tuple[Fit, Match | None]:
        """Label positions for half of the time, and fit for the rest."""
        options = self.options
        seconds = math.inf if options["seconds"] is None else options["seconds"]
        with StopToken(token, seconds=seconds / 2) as labelling:
            data = self.labeller.label(self.games(), lambda: labelling.is_set)
        self.said = f"fitting {len(data.targets):,} positions"
        with StopToken(token, seconds=seconds / 2) as fitting:
            fit = fit_network(
                self.network, data, epochs=options["epochs"], batch=options["batch"], seed=options["seed"],
                rate=options["rate"] or DEFAULT_RATE, by=options["by"], on_epoch=self.tell,
                stopped=lambda: fitting.is_set,
            )  # fmt: skip
        record = {"method": "supervised", "results": self.share, "seed": options["seed"], "fit": fit.to_json()}
        if options["out"] is not None:
            self.network.save(options["out"], self.game, **record)
        played = None
        if options["match_games"] > 0 and self.game.offers("evaluate") and not token.is_set:
            self.said = "a match against the previous evaluation"
            opening = 0 if self.game.chance else OPENING
            limits = {"games": options["match_games"], "depth": 1, "opening": opening, "seed": options["seed"]}
            played = match(with_network(self.game, self.network), self.game, **limits, stop=token)
        return fit, played

    def tell(self, epoch: Epoch) -> None:
        said = f"epoch {epoch.number:>3}: loss {epoch.loss:.4f}, on held-out games {epoch.held_out:.4f}"
        self.said = f"fitting, {said}"
        click.echo(said, err=True)


def learn_supervised(game: Game, options: dict[str, Any]) -> None:
    """Fit a network, save it, and compare it with the evaluation before."""
    work = Work(game, options)
    (fit, played), stopped = until_stopped(work.run, lambda: work.said)
    if options["as_json"]:
        against = None if played is None else asdict(played)
        click.echo(json.dumps({"fit": fit.to_json(), "match": against, "file": options["out"]}))
    else:
        console = Console(highlight=False, soft_wrap=True)
        console.print(
            f"{fit.positions:,} positions of {fit.games:,} games, {fit.held_out:,} held out; {fit.seconds:.1f} s by "
            f"{fit.by}"
        )
        console.print(
            f"loss on the held-out games: {fit.before:.4f} before, {fit.after:.4f} after epoch {fit.best}; at least "
            f"{fit.least:.4f}"
        )
        if played is not None:
            console.print(f"against the previous evaluation, {played.games} games at depth 1: {played}")
        if options["out"] is not None:
            console.print(f"saved in {options['out']}", markup=False)
        else:
            console.print("not saved: use --out FILE to keep the network")
    if stopped:
        sys.exit(130)
