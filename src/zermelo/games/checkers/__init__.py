"""Checkers (English draughts)."""

from zermelo.games.checkers.board import CheckersState
from zermelo.games.checkers.rules import Checkers

__all__ = ["Checkers", "CheckersState"]
