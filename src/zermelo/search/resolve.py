"""From what a user types to an algorithm: a registered name, or a function in a Python file of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.game.errors import UnknownName
from zermelo.games.resolve import module_of
from zermelo.search.registry import Algorithm, find


def is_own(what: str) -> bool:
    """Does this name something in a file, as in mine.py:my_search?"""
    return ".py:" in what


def own(what: str) -> Any:
    """What FILE.py:NAME names. Loading the file runs it, so never pass text that comes from somebody else."""
    path, _, name = what.partition(".py:")
    found = getattr(module_of(Path(path + ".py")), name, None)
    if found is None or not callable(found):
        raise UnknownName(f"{path}.py has no algorithm and no Player of the name {name!r}")
    return found


def resolve(what: str) -> Algorithm:
    """The algorithm that is meant by NAME or FILE.py:FUNCTION."""
    if what.endswith(".py"):
        raise UnknownName(f"{what!r} is a file: name the function too, as in {what}:my_search")
    return find(own(what) if is_own(what) else what)
