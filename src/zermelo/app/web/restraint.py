"""Limits for every process of a tab: it ends with its parent, and its memory is bounded."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
from typing import TextIO

from zermelo.arena.worker import watch_parent

MOST_MEMORY = 6 << 30
"""Bytes of address space: threads with deep stacks take half a GiB each, most of it untouched."""
DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""


def restrain() -> tuple[TextIO, TextIO]:
    """The streams from which this process reads messages and to which it writes answers.

    A user's game cannot print into the answers or read messages.
    """
    messages, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    watch_parent()
    bind()
    return messages, answers


def bind() -> None:
    """End with the parent, even during a user's endless method that blocks all other threads; and limit the memory."""
    with contextlib.suppress(AttributeError, OSError):  # not on Linux
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    for what, most in ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))
