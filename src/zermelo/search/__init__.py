"""One position to a decision: the algorithms, each of which registers itself when imported, and `analyse`."""

from zermelo.search import by_dice, by_engine, by_equilibrium, by_mcts, by_pimc, by_proof
from zermelo.search.alpha_beta import alpha_beta
from zermelo.search.and_or import and_or
from zermelo.search.beam import beam
from zermelo.search.driver import analyse
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.greedy import greedy
from zermelo.search.maxn import maxn
from zermelo.search.minimax import minimax
from zermelo.search.star1 import star1
from zermelo.search.star2 import star2

__all__ = [
    "alpha_beta",
    "analyse",
    "and_or",
    "beam",
    "by_dice",
    "by_engine",
    "by_equilibrium",
    "by_mcts",
    "by_pimc",
    "by_proof",
    "expectiminimax",
    "greedy",
    "maxn",
    "minimax",
    "star1",
    "star2",
]
