"""What people call the games."""

from __future__ import annotations

from pathlib import Path

TITLES = {
    "connect_four": "Connect Four",
    "kuhn_poker": "Kuhn poker",
    "phantom_tic_tac_toe": "Phantom tic-tac-toe",
    "tic_tac_toe": "Tic-tac-toe",
}


def title_of(what: str) -> str:
    """The title of a registered game, or of a file of one's own: its class, or its name."""
    path, is_file, cls = what.partition(".py")
    if is_file:
        return cls.removeprefix(":") or Path(path).name
    return TITLES.get(what, what.replace("_", " ").capitalize())
