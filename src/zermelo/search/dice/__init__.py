"""Search for games with dice: positions and moves at a number of plies, as backgammon programs count them."""

from zermelo.search.dice.engine import DiceEngine, Judgement, RankedMove
from zermelo.search.dice.filters import FILTERS, Filter

__all__ = ["FILTERS", "DiceEngine", "Filter", "Judgement", "RankedMove"]
