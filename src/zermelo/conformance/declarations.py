"""What a game's class declares, before anything is played."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from zermelo.conformance.inspection import Inspection
from zermelo.conformance.report import shown
from zermelo.game.methods import RULES
from zermelo.game.protocol import Game
from zermelo.search.engine.options import FORWARD_PRUNING


def check_declarations(inspection: Inspection) -> bool:
    """Note what is wrong with the declarations; returns whether the game can be played at all."""
    game = inspection.game
    missing = [name for name in RULES if not game.offers(name)]
    if missing:
        inspection.note("missing-method", f"{type(game).__name__} does not write {_and(missing)}")
        return False
    if not _check_traits(inspection):
        return False
    if game.max_actions is not None and (not isinstance(game.max_actions, int) or game.max_actions < 1):
        wrong = f"max_actions = {shown(game.max_actions)}; it is a whole number of at least 1, or None"
        inspection.note("bad-declaration", wrong, about="max_actions")
    _check_engine(inspection)
    if game.hidden and not game.offers("information"):
        inspection.note("missing-method", "hidden is declared, but `information` is not written", about="information")
    elif game.hidden and not game.offers("resample"):
        inspection.note("no-resample", "hidden is declared, but `resample` is not written")
    _check_player_names(inspection)
    return True


def _check_player_names(inspection: Inspection) -> None:
    """Does every player have a name of its own?"""
    players: dict[str, int] = {}
    for p in range(inspection.game.players):
        name, error = inspection.attempt("player_name", p)
        if error is not None:
            inspection.note_raised("player_name", None, error)
        elif not isinstance(name, str):
            inspection.note("wrong-type", f"`player_name` gives {shown(name)} for player {p}; it gives a string")
        elif not name.strip():
            inspection.note("player-names", f"`player_name` gives player {p} no name")
        elif players.setdefault(name.strip().casefold(), p) != p:
            other = players[name.strip().casefold()]
            inspection.note("player-names", f"`player_name` calls players {other} and {p} both {name.strip()!r}")


def _check_traits(inspection: Inspection) -> bool:
    game = inspection.game
    if isinstance(game.players, bool) or not isinstance(game.players, int):
        inspection.note("bad-declaration", f"players = {shown(game.players)}; it is a whole number")
        return False
    try:
        traits = game.traits
    except Exception as error:
        inspection.note("bad-declaration", f"the declared traits: {type(error).__name__}: {error}")
        return False
    if any(bound != bound for bound in traits.utility_range):
        inspection.note("bad-declaration", f"utility_range = {shown(game.utility_range)} contains a NaN")
        return False
    return True


def _check_engine(inspection: Inspection) -> None:
    """What is declared to an engine: the prunings that are safe enough, and the names and weights of the features."""
    game = inspection.game
    given: Any = game.forward_pruning
    unknown = [name for name in given if name not in FORWARD_PRUNING] if isinstance(given, tuple) else [given]
    if unknown:
        wrong = f"forward_pruning = {shown(given)}; it is a tuple of names, each one of {', '.join(FORWARD_PRUNING)}"
        inspection.note("bad-declaration", wrong, about="forward_pruning")
    elif "null_move" in given and not game.offers("after_pass"):
        wrong = 'forward_pruning lists "null_move", and `after_pass` is not written'
        inspection.note("bad-declaration", wrong, about="after_pass")
    elif "probcut" in given and not game.offers("probcut"):
        wrong = 'forward_pruning lists "probcut", and `probcut` is not written'
        inspection.note("bad-declaration", wrong, about="probcut")
    unit: Any = game.evaluation_unit
    if unit is not None and not (isinstance(unit, numbers.Real) and 0 < float(unit) < math.inf):
        wrong = f"evaluation_unit = {shown(unit)}; it is a number above 0, or None"
        inspection.note("bad-declaration", wrong, about="evaluation_unit")
    if game.offers("recurs") and not game.uses_history:
        wrong = "`recurs` is defined but never called: declare uses_history"
        inspection.note("bad-declaration", wrong, about="recurs")
    if not game.offers("features"):
        return
    names, error = inspection.attempt("feature_names")
    if error is not None:
        inspection.note_raised("feature_names", None, error)
        return
    try:
        weights = np.asarray(game.weights, np.float64)
    except (TypeError, ValueError):
        weights = np.zeros((0, 0))
    if weights.ndim != 1 or not np.isfinite(weights).all():
        wrong = f"weights = {shown(game.weights)}; they are an array of finite numbers"
        inspection.note("bad-declaration", wrong, about="weights")
    elif len(weights) and len(names) != len(weights):  # without weights, a network judges the features
        wrong = f"`feature_names` gives {len(names)} names, and there are {len(weights)} weights"
        inspection.note("bad-declaration", wrong, about="weights")


def sides(game: Game) -> dict[Any, list[int]]:
    """The players on each side."""
    found: dict[Any, list[int]] = {}
    for p in range(game.players):
        found.setdefault(game.side(p), []).append(p)
    return found


def _and(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
