"""Backgammon: rules, moves and their names, positions as text."""

from zermelo.games.backgammon.rules import Backgammon
from zermelo.games.backgammon.state import BackgammonState

__all__ = ["Backgammon", "BackgammonState"]
