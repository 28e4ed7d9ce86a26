"""What a run has saved as JSON. A file that is damaged is an error that says what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from zermelo.game.errors import GameError


def read_saved(path: Path, *names: str) -> dict[str, Any]:
    """The entries of a file, which must have these names."""
    try:
        found = json.loads(path.read_bytes())
    except ValueError:
        found = None
    if not isinstance(found, dict) or any(name not in found for name in names):
        raise damaged(path)
    return found


def damaged(path: Path) -> GameError:
    """The error about a damaged file."""
    return GameError(f"{path} is damaged: delete it, and run the same command to do this step again")
