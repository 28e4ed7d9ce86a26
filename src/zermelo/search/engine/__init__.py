"""The engine: strong moves in limited time, for any two-sided game of perfect information."""

from zermelo.search.engine.clock import Clock
from zermelo.search.engine.options import PLAIN, Options
from zermelo.search.engine.thinking import Engine, Progress, Solved, Thinking

__all__ = ["PLAIN", "Clock", "Engine", "Options", "Progress", "Solved", "Thinking"]
