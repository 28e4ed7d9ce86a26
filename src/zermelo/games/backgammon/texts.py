"""Positions as text, in any of the notations: XGID or GNU Backgammon's IDs."""

from __future__ import annotations

from typing import Any

from zermelo.game.errors import StateError
from zermelo.games.backgammon import gnu_ids, xgid
from zermelo.games.backgammon.setups import Setup

EXAMPLES = "an XGID, such as XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10", "4HPwATDgc/ABMA:cAkAAAAAAAAA"


def read(text: str) -> Setup:
    """What a text says about a position; an error says what is wrong with it."""
    if xgid.is_xgid(text):
        return xgid.read(text)
    if gnu_ids.is_gnu(text):
        return gnu_ids.read(text)
    raise StateError(f"{text[:80]!r} is neither {EXAMPLES[0]}, nor an ID of GNU Backgammon, such as {EXAMPLES[1]}")


def parameters_in(text: str) -> dict[str, Any] | None:
    """The parameters of the game that a position belongs to; None if the text is not a position."""
    if not (xgid.is_xgid(text) or gnu_ids.is_gnu(text)):
        return None
    try:
        setup = read(text)
    except StateError:
        return {}
    found: dict[str, Any] = {}
    if setup.points is not None:
        found = {"points": setup.points, "jacoby": setup.jacoby, "beavers": setup.beavers}
    if any(found.values()) or setup.cube or setup.doubled or setup.decided:
        found["cube"] = True
    return found
