"""`zermelo uci`: a chess engine that speaks the Universal Chess Interface (UCI)."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator

import click

from zermelo.protocols.uci import Uci


@click.command("uci")
def uci_command() -> None:
    """Run a chess engine that speaks UCI on standard input and output.

    Chess interfaces and bots start this command themselves: see docs/uci.md. To try it by hand, type `help`.

    \b
    zermelo uci
    """
    guard = threading.Lock()

    def say(line: str) -> None:
        with guard:
            try:
                sys.stdout.write(line + "\n")
                sys.stdout.flush()
            except (BrokenPipeError, ValueError):
                os._exit(0)  # the other program has closed the pipe

    with contextlib.suppress(KeyboardInterrupt):
        Uci(say).run(_lines())
    os._exit(0)  # also if something is still being compiled or searched


def _lines() -> Iterator[str]:
    for line in sys.stdin.buffer:
        yield line.decode(errors="replace")
