"""A line on standard error that says what the user is waiting for: the compiler with its elapsed time, or a search."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.markup import escape

from zermelo.app.interrupts import handling_ctrl_c
from zermelo.kernel import compilations
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Stopped

T = TypeVar("T")

REFRESHED = 0.25
"""Seconds between two updates of the line on a terminal."""
REPORTED = 5.0
"""Seconds between two lines about a compilation, without a terminal."""


@contextlib.contextmanager
def waiting(doing: str | Callable[[], str], console: Console | None = None, preparation: Any = None) -> Iterator[None]:
    """Within this context, a line on the terminal says what is being done; a function is asked again and again.

    While something is being compiled, in this process or by a `Preparation`, the line says so.
    """
    console = console or Console(stderr=True)
    over = threading.Event()

    def compiling() -> str:
        if preparation is not None and preparation.state == "compiling":
            return str(preparation)
        return str(compilations.current() or "")

    def text() -> str:
        said = doing if isinstance(doing, str) else doing()
        compiled = compiling()
        return f"{said} ({compiled})" if compiled and preparation is not None else compiled or said

    def show(status: Any) -> None:
        while not over.wait(REFRESHED if status is not None else REPORTED):
            if status is not None:
                status.update(escape(text()))
            elif compiling():
                print(compiling(), file=console.file, flush=True)

    with console.status(escape(text())) if console.is_terminal else contextlib.nullcontext() as status:
        thread = threading.Thread(target=show, args=(status,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def until_stopped(
    job: Callable[[StopToken], T], doing: str | Callable[[], str], console: Console | None = None
) -> tuple[T, bool]:
    """What a job returns, and whether the user stopped it with Ctrl-C, after which it returns what it has found.

    The job runs on another thread, because compiled code does not see Ctrl-C. While the compiler runs there is nothing
    to return: then, and after a second Ctrl-C, the process ends. A job that has found nothing yet raises `Stopped`.
    """
    token = StopToken()
    outcome: list[Any] = []
    over = threading.Event()

    def target() -> None:
        try:
            outcome[:] = job(token), None
        except BaseException as error:
            outcome[:] = None, error
        finally:
            over.set()

    threading.Thread(target=target, name="zermelo-command", daemon=True).start()
    with handling_ctrl_c(lambda *_: token.stop()), waiting(doing, console):
        over.wait()
    result, error = outcome
    if isinstance(error, Stopped):  # before there was anything to return
        raise click.Abort
    if error is not None:
        raise error
    return result, token.is_set
