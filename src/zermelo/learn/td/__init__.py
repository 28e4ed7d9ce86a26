"""TD(λ): a network teaches itself a game by playing, in one process, several, or on a cluster."""

from zermelo.learn.td.run import TdLearned, TdProgress, learn_td
from zermelo.learn.td.settings import TdSettings

__all__ = ["TdLearned", "TdProgress", "TdSettings", "learn_td"]
