"""`zermelo rollout`: a position or its moves played out many times."""

from __future__ import annotations

import json
import time
from typing import Any

import click

from zermelo.app.interrupts import STOPPED
from zermelo.app.options import MOVE, as_json, game_argument, given, in_a_folder, moves_argument, setting, with_a_move
from zermelo.app.waiting import until_stopped
from zermelo.kernel.stopping import StopToken
from zermelo.search.rollout import Rollout, rollout


@click.command("rollout")
@game_argument
@moves_argument
@setting
@click.option("--position", "--fen", "fen", help="Starting position as text, such as an XGID.")
@click.option("--move", "candidates", multiple=True, type=MOVE, help="Roll out this move; repeat it for others.")
@click.option("--trials", default=1296, show_default=True, help="Games per move.")
@click.option("--truncate", type=int, metavar="MOVES", help="Judge the position after this many moves.")
@click.option("--plies", default=0, show_default=True, help="Plies at which moves are chosen: 0 to 3.")
@click.option("--seed", default=0, show_default=True, help="Seed of the dice.")
@click.option("--no-reduction", is_flag=True, help="Do not subtract the luck of each roll.")
@click.option("--clear", type=float, metavar="ERRORS", help="Drop moves that are worse by this many standard errors.")
@click.option("--threads", default=1, show_default=True, help="Batches played at the same time.")
@click.option("--seconds", type=float, help="Time limit in seconds.")
@click.option(
    "--file", type=click.Path(dir_okay=False), callback=in_a_folder,
    help="Save the trials here; an existing file is resumed.",
)  # fmt: skip
@click.option("--compile/--plain", "compile_", default=None, help="Compiled, or as plain Python.")
@as_json
def rollout_command(
    game: str,
    moves: tuple[str, ...],
    settings: tuple[str, ...],
    fen: str | None,
    candidates: tuple[str, ...],
    no_reduction: bool,
    compile_: bool | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Play the position after MOVES to the end many times, and average the results.

    If a player moves, each --move is rolled out with the same dice; by default the best five. Ctrl-C stops and prints
    what was found so far. Intervals are 95 % intervals. The third column is the difference to the best move.

    \b
    zermelo rollout pig --trials 360
    zermelo rollout backgammon --position "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10" --truncate 8
    zermelo rollout backgammon 31 --move "8/5 6/5" --move "24/23 13/10" --clear 3 --file opening.json
    """
    chosen, states = given(game, moves, settings, fen)
    with_a_move(game, chosen, states)
    progress = _Progress(options["trials"])

    def job(token: StopToken) -> Rollout:
        return rollout(
            chosen,
            states[-1],
            moves=candidates or None,
            reduce=not no_reduction,
            compile=compile_,
            stop=token,
            on_progress=progress.tell,
            **options,
        )

    found, is_stopped = until_stopped(job, progress)
    if as_json:
        click.echo(json.dumps(found.to_json()))
    else:
        click.echo(chosen.text(states[-1]))
        click.echo(str(found))
    if is_stopped:
        raise SystemExit(STOPPED)


class _Progress:
    """The line that says how far the rollout is."""

    def __init__(self, trials: int):
        self.trials, self.began = trials, time.monotonic()
        self.latest: Rollout | None = None

    def tell(self, found: Rollout) -> None:
        self.latest = found

    def __call__(self) -> str:
        passed = f"{time.monotonic() - self.began:.0f} s; Ctrl-C stops"
        if self.latest is None:
            return f"rolling out: {passed}"
        best = self.latest.best
        name = f"{best.name} " if best.name else ""
        done = max(each.trials for each in self.latest.moves)
        return f"rolling out: {done:,} of {self.trials:,} trials, {name}{best.equity:+.3f} ± {best.error:.3f}, {passed}"
