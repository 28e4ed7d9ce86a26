"""Learning in generations: play, train, test against the last evaluation, and keep what wins."""

from zermelo.generations.loop import improve
from zermelo.generations.settings import LoopSettings

__all__ = ["LoopSettings", "improve"]
