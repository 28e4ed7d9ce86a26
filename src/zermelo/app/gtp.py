"""`zermelo gtp`: a Go program that speaks the Go Text Protocol (GTP)."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator

import click

from zermelo.games.go import RULE_SETS
from zermelo.kernel.compilations import telling
from zermelo.protocols.gtp import Gtp


@click.command("gtp")
@click.option("--player", default="mcts", show_default=True, help="Who plays, in the words of `zermelo match`.")
@click.option(
    "--seconds", default=1.0, show_default=True, type=click.FloatRange(0.01), help="Per move, without a clock."
)
@click.option("--size", default=19, show_default=True, type=click.IntRange(2, 19), help="Until `boardsize` changes it.")
@click.option("--rules", default="tromp_taylor", show_default=True, type=click.Choice(list(RULE_SETS)))
def gtp_command(player: str, seconds: float, size: int, rules: str) -> None:
    """Run a Go program that speaks GTP 2 on standard input and output.

    Sabaki, GoGui and other programs start this command themselves. To try it by hand, type `list_commands`.

    \b
    zermelo gtp --seconds 5
    """

    def say(text: str) -> None:
        try:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        except (BrokenPipeError, ValueError):
            os._exit(0)  # the other program has closed the pipe

    with contextlib.suppress(KeyboardInterrupt), telling(lambda text: click.echo(text, err=True), 5.0):
        Gtp(say, player, seconds, size, rules).run(_lines())
    os._exit(0)  # also if something is still being compiled or searched


def _lines() -> Iterator[str]:
    for line in sys.stdin.buffer:
        yield line.decode(errors="replace")
