"""zermelo: write a game once, in Python; run it as the textbook reads, or compiled at native speed.

import zermelo
game = zermelo.games.load("tic_tac_toe")
print(zermelo.analyse(game))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from zermelo.game.errors import (
    CompileError,
    GameError,
    IllegalAction,
    NotationError,
    StateError,
    TooDeep,
    UnknownName,
    Unsuitable,
    ZermeloError,
)
from zermelo.game.protocol import CHANCE, Game, Traits
from zermelo.game.state import i8, i16, i32, i64, u8, u16, u32, u64
from zermelo.game.unit import Unit

if TYPE_CHECKING:
    from zermelo import games
    from zermelo.arena.levels import levels
    from zermelo.arena.player import Player, Turn
    from zermelo.arena.tournament import match, tournament
    from zermelo.conformance import Report, check
    from zermelo.kernel.bits import bits, count_bits, highest_bit, lowest_bit, replaced
    from zermelo.kernel.random import Random
    from zermelo.kernel.stopping import StopToken
    from zermelo.pictures import Picture, show
    from zermelo.play.files import read_games
    from zermelo.play.play import Play
    from zermelo.play.record import Record
    from zermelo.search.algorithm import algorithm, algorithms
    from zermelo.search.analysis import Analysis
    from zermelo.search.dice import DiceEngine
    from zermelo.search.driver import analyse
    from zermelo.search.engine import Clock, Engine
    from zermelo.search.observer import Observer, Reason
    from zermelo.search.perft import perft
    from zermelo.search.review import review
    from zermelo.search.reviewed import Review
    from zermelo.search.rollout import Rollout, rollout
    from zermelo.search.search import Search
    from zermelo.search.strategy import Strategy

__version__ = "0.1.0"

_LAZY = {
    "Analysis": "zermelo.search.analysis",
    "Clock": "zermelo.search.engine",
    "DiceEngine": "zermelo.search.dice",
    "Engine": "zermelo.search.engine",
    "Observer": "zermelo.search.observer",
    "Picture": "zermelo.pictures",
    "Play": "zermelo.play.play",
    "Player": "zermelo.arena.player",
    "Random": "zermelo.kernel.random",
    "Record": "zermelo.play.record",
    "Reason": "zermelo.search.observer",
    "Report": "zermelo.conformance",
    "Review": "zermelo.search.reviewed",
    "Rollout": "zermelo.search.rollout",
    "Search": "zermelo.search.search",
    "StopToken": "zermelo.kernel.stopping",
    "Strategy": "zermelo.search.strategy",
    "Turn": "zermelo.arena.player",
    "algorithm": "zermelo.search.algorithm",
    "algorithms": "zermelo.search.algorithm",
    "analyse": "zermelo.search.driver",
    "bits": "zermelo.kernel.bits",
    "check": "zermelo.conformance",
    "count_bits": "zermelo.kernel.bits",
    "games": "zermelo.games",
    "highest_bit": "zermelo.kernel.bits",
    "levels": "zermelo.arena.levels",
    "lowest_bit": "zermelo.kernel.bits",
    "match": "zermelo.arena.tournament",
    "perft": "zermelo.search.perft",
    "read_games": "zermelo.play.files",
    "replaced": "zermelo.kernel.bits",
    "review": "zermelo.search.review",
    "rollout": "zermelo.search.rollout",
    "show": "zermelo.pictures",
    "tournament": "zermelo.arena.tournament",
}
"""What is loaded when it is first asked for, and from where."""

__all__ = [
    "CHANCE",
    "Analysis",
    "Clock",
    "CompileError",
    "DiceEngine",
    "Engine",
    "Game",
    "GameError",
    "IllegalAction",
    "NotationError",
    "Observer",
    "Picture",
    "Play",
    "Player",
    "Random",
    "Reason",
    "Record",
    "Report",
    "Review",
    "Rollout",
    "Search",
    "StateError",
    "StopToken",
    "Strategy",
    "TooDeep",
    "Traits",
    "Turn",
    "Unit",
    "UnknownName",
    "Unsuitable",
    "ZermeloError",
    "algorithm",
    "algorithms",
    "analyse",
    "bits",
    "check",
    "count_bits",
    "games",
    "highest_bit",
    "i8",
    "i16",
    "i32",
    "i64",
    "levels",
    "lowest_bit",
    "match",
    "perft",
    "read_games",
    "replaced",
    "review",
    "rollout",
    "show",
    "tournament",
    "u8",
    "u16",
    "u32",
    "u64",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
    module = importlib.import_module(_LAZY[name])
    value = module if name == "games" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
