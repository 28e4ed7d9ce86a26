"""What a trained strategy plays in one position, for games too large to write down."""

from __future__ import annotations

import json
from typing import Any

import click

from zermelo.equilibria.bucket_strategy import BucketStrategy
from zermelo.equilibria.strategy import Strategy
from zermelo.game.protocol import CHANCE, Game

TOO_LARGE = (
    "{game} is too large to write down: --method mccfr trains a strategy, and MOVES up to a decision show what a "
    "trained one plays there. For a turn or river of hold'em there is `zermelo subgame`"
)


def show_decision(game: Game, s: Any, strategy: Strategy | BucketStrategy, as_json: bool) -> None:
    """Print how often the strategy plays each move in a state, of which the player sees only its part."""
    if game.is_terminal(s) or game.to_move(s) == CHANCE:
        raise click.UsageError(TOO_LARGE.format(game=game.title))
    mover, about = game.to_move(s), strategy.about
    policy = {game.action_name(s, a): p for a, p in strategy.policy(s).items()}
    if as_json:
        told = {"game": game.name, "method": about.get("method"), "iterations": about.get("iterations")}
        click.echo(json.dumps({**told, "player": game.player_name(mover), "moves": policy}))
        return
    click.echo(game.text(game.seen_by(s, mover)))
    click.echo(f"{game.player_name(mover)}: {', '.join(f'{name} {100 * p:.1f} %' for name, p in policy.items())}")
    click.echo(f"by {about.get('method')}, {about.get('iterations', 0):,} iterations")
