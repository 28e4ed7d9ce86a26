"""The engine: strong moves in limited time, for any two-sided game of perfect information."""

from zermelo.search.engine.answers import Counts, Progress, Solved
from zermelo.search.engine.background import Thinking
from zermelo.search.engine.clock import Clock
from zermelo.search.engine.engine import Engine
from zermelo.search.engine.options import PLAIN, Options

__all__ = ["PLAIN", "Clock", "Counts", "Engine", "Options", "Progress", "Solved", "Thinking"]
