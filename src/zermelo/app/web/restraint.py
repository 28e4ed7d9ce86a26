"""What holds for every process that works for a tab: it ends with whoever started it, and its memory is bounded."""

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
"""What Linux's prctl calls PR_SET_PDEATHSIG."""


def restrain() -> tuple[TextIO, TextIO]:
    """Where this process reads its messages and writes its answers.

    What somebody's game prints must not mix with the answers, nor may it ask and be given a message.
    """
    messages, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    watch_parent()
    bind()
    return messages, answers


def bind() -> None:
    """End with the parent, even in the midst of somebody's endless method in which no other thread gets a turn.

    And take no more memory than there is room for.
    """
    with contextlib.suppress(AttributeError, OSError):  # where there is no Linux
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    for what, most in ((resource.RLIMIT_AS, MOST_MEMORY), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))
