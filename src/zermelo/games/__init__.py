"""Rules of games, and knowledge about each; nothing here depends on search. `load` finds a game by name."""

from __future__ import annotations

import difflib
import importlib
import inspect
from typing import Any

from zermelo.game.errors import UnknownName
from zermelo.game.protocol import Game

REGISTRY = {
    "backgammon": "zermelo.games.backgammon:Backgammon",
    "breakthrough": "zermelo.games.breakthrough:Breakthrough",
    "checkers": "zermelo.games.checkers:Checkers",
    "chess": "zermelo.games.chess:Chess",
    "coalition": "zermelo.games.coalition:Coalition",
    "connect_four": "zermelo.games.connect_four:ConnectFour",
    "go": "zermelo.games.go:Go",
    "goofspiel": "zermelo.games.goofspiel:Goofspiel",
    "hex": "zermelo.games.hex:Hex",
    "kalah": "zermelo.games.kalah:Kalah",
    "kuhn_poker": "zermelo.games.kuhn_poker:KuhnPoker",
    "leduc_poker": "zermelo.games.leduc_poker:LeducPoker",
    "liars_dice": "zermelo.games.liars_dice:LiarsDice",
    "limit_holdem": "zermelo.games.poker.limit:LimitHoldem",
    "matrix": "zermelo.games.matrix:Matrix",
    "nim": "zermelo.games.nim:Nim",
    "no_limit_holdem": "zermelo.games.poker.no_limit:NoLimitHoldem",
    "non_locality": "zermelo.games.averaging:NonLocality",
    "othello": "zermelo.games.othello:Othello",
    "phantom_tic_tac_toe": "zermelo.games.phantom_tic_tac_toe:PhantomTicTacToe",
    "pig": "zermelo.games.pig:Pig",
    "roads": "zermelo.games.averaging:Roads",
    "strategy_fusion": "zermelo.games.averaging:StrategyFusion",
    "tic_tac_toe": "zermelo.games.tic_tac_toe:TicTacToe",
}
"""Name to module and class. A module is imported only when its game is loaded."""


def names() -> list[str]:
    """The names of the registered games."""
    return list(REGISTRY)


def load(name: str, **parameters: Any) -> Game:
    """The registered game of that name, with these parameters; `network` is a file, or a Network."""
    wanted = name.strip().casefold().replace("-", "_").replace(" ", "_")
    if wanted not in REGISTRY:
        near = difflib.get_close_matches(wanted, REGISTRY, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise UnknownName(f"there is no game {name!r}; {hint}there are {', '.join(REGISTRY)}")
    module, _, cls = REGISTRY[wanted].partition(":")
    made = getattr(importlib.import_module(module), cls)
    accepted = inspect.signature(made).parameters
    network = parameters.pop("network", None) if "network" not in accepted else None
    for given in parameters:
        if given not in accepted:
            allowed = f"it takes {', '.join(accepted)}" if accepted else "it takes none"
            raise TypeError(f"{wanted} has no parameter {given!r}; {allowed}")
    game: Game = made(**parameters)
    return game if network is None else evaluated_by(game, network)


def evaluated_by(game: Game, network: Any) -> Game:
    """A copy of the game that a network evaluates, or the one in a file: the parameter `network` of any game."""
    from zermelo.networks import with_network  # here, so that games without networks are loaded quickly

    return with_network(game, network if hasattr(network, "evaluates_games") else str(network))


def words_for(game: Game) -> tuple[str, dict[str, Any]] | None:
    """The name and the parameters with which `load` makes this game; None if it is not a registered game."""
    for name, where in REGISTRY.items():
        module, _, cls = where.partition(":")
        if cls == type(game).__name__ and getattr(importlib.import_module(module), cls) is type(game):
            return name, game._parameters()
    return None
