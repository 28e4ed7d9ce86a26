"""Errors as messages for the page: one sentence, and for errors in a user's game also the file and the line."""

from __future__ import annotations

import os
import sysconfig
import traceback
from pathlib import Path

from zermelo.game.errors import ZermeloError

NOT_THEIRS = (str(Path(__file__).parents[2]), *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")))
"""Folders without users' files."""


def in_words(error: BaseException) -> str:
    """The message for an error."""
    places = traceback.extract_tb(error.__traceback__)
    theirs = [at for at in places if at.filename.endswith(".py") and not at.filename.startswith(NOT_THEIRS)]
    is_answer = isinstance(error, ValueError | TypeError | LookupError) and not theirs
    if isinstance(error, ZermeloError) or is_answer or not places:
        return str(error) or type(error).__name__
    at = (theirs or list(places))[-1]
    return f"{type(error).__name__}: {error} ({os.path.basename(at.filename)}, line {at.lineno})"
