"""The thread that computes for a desk: one job after the other, each of which can be interrupted at any time."""

from __future__ import annotations

import threading
from collections.abc import Callable

from zermelo.kernel.stopping import StopToken

Job = Callable[[StopToken], None]
"""What there is to do. The token is stopped when the result is no longer wanted."""


class Outdated(Exception):
    """The result is no longer wanted."""


def require_wanted(token: StopToken) -> None:
    """Raise Outdated if the job was interrupted."""
    if token.is_set:
        raise Outdated


class Thinker:
    """Runs jobs on a thread of its own.

    guard      the desk's lock
    next_job   returns what to do next, or None; called with the guard held
    failed     called with the error of a job that failed; it is not tried again before the next interruption
    """

    def __init__(self, guard: threading.RLock, next_job: Callable[[], Job | None], failed: Callable[[Exception], None]):
        self.guard, self.next_job, self.failed = guard, next_job, failed
        self.token = StopToken()
        self._changed = threading.Condition(guard)
        threading.Thread(target=self._run, daemon=True).start()

    def interrupt(self) -> None:
        """Stop the present job, and look for the next one."""
        with self.guard:
            self.token.stop()
            self.token = StopToken()
            self._changed.notify_all()

    def _run(self) -> None:
        given_up: StopToken | None = None
        while True:
            with self.guard:
                token = self.token
                job = None if token is given_up else self.next_job()
                if job is None:
                    self._changed.wait()
                    continue
            try:
                job(token)
            except Outdated:
                pass
            except Exception as error:
                given_up = token
                self.failed(error)
