"""`zermelo uci`: chess for programs that speak the Universal Chess Interface."""

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
    """Play chess by the Universal Chess Interface, on standard input and output.

    Chess interfaces and bots start this themselves: see docs/uci.md. By hand, try `help`.

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
                os._exit(0)  # nobody listens any more

    with contextlib.suppress(KeyboardInterrupt):
        Uci(say).run(_lines())
    os._exit(0)  # whatever is still being compiled or searched


def _lines() -> Iterator[str]:
    for line in sys.stdin.buffer:
        yield line.decode(errors="replace")
