"""Positions to learn from: games of the engine against itself, in compact files that any number of processes fill."""

from zermelo.learn.positions.ahead import log_odds_ahead, look_ahead, sides
from zermelo.learn.positions.evaluations import with_evaluation
from zermelo.learn.positions.files import count_in, load
from zermelo.learn.positions.generate import Generated, generate
from zermelo.learn.positions.generator import Generator, PlaySettings
from zermelo.learn.positions.playing import ADJUDICATED, FIRST, LAST, QUIET, RANDOM, WON
from zermelo.learn.positions.records import record_type, states, words

__all__ = [
    "ADJUDICATED", "FIRST", "LAST", "QUIET", "RANDOM", "WON", "Generated", "Generator", "PlaySettings", "count_in",
    "generate", "load", "log_odds_ahead", "look_ahead", "record_type", "sides", "states", "with_evaluation", "words",
]  # fmt: skip
