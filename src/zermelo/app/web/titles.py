"""What people call the games, and how they are played."""

from __future__ import annotations

from pathlib import Path

TITLES = {
    "connect_four": "Connect Four",
    "kuhn_poker": "Kuhn poker",
    "phantom_tic_tac_toe": "Phantom tic-tac-toe",
    "tic_tac_toe": "Tic-tac-toe",
}
RULES = {
    "breakthrough": "A man steps one row ahead, straight or diagonally, and takes diagonally. Whoever first "
    "reaches the far row wins.",
    "chess": "The laws of chess. A position that occurs for the third time, and fifty moves without progress, are "
    "draws.",
    "coalition": "In turn, each player destroys one army of another's. After the last turn, or when only one "
    "player has armies, whoever has the most wins, and equals share.",
    "connect_four": "A stone falls to the bottom of its column. Four in a row, in any direction, win.",
    "kuhn_poker": "Both put in a chip and get one of three cards. A player may bet another chip, which the other "
    "calls or folds; the higher card wins what nobody folded.",
    "nim": "Take one or more counters from one heap. Whoever takes the last one wins; in misère play, loses.",
    "othello": "A disc turns those of the opponent's that lie between it and another of one's own; it must turn "
    "some, and whoever can turn none passes. In the end most discs win.",
    "phantom_tic_tac_toe": "Tic-tac-toe, but one does not see the opponent's stones. Whoever tries a cell that is "
    "taken is told so, and tries another.",
    "pig": "Roll as often as you dare, then hold and keep the turn's total; a 1 loses it, and the turn. Whoever "
    "first has the target, 100, wins.",
    "tic_tac_toe": "Put a stone on an empty cell. Three in a row, column or diagonal win.",
}
"""The registered games, for whoever has never played them, as they are where nothing else was set."""


def title_of(what: str) -> str:
    """The title of a registered game, or of a file of one's own: its class, or its name."""
    path, is_file, cls = what.partition(".py")
    if is_file:
        return cls.removeprefix(":") or Path(path).name
    return TITLES.get(what, what.replace("_", " ").capitalize())
