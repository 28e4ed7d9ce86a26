"""A game and its network: copies of a game with another network."""

from __future__ import annotations

import copy
import functools
from pathlib import Path
from typing import Any, TypeVar

from zermelo.game.protocol import Game
from zermelo.networks import files
from zermelo.networks.files import NetworkError, output_names
from zermelo.networks.network import Network, require_features
from zermelo.networks.two_views import TwoViews, require_two_players

AnyGame = TypeVar("AnyGame", bound=Game)
AnyNetwork = Network | TwoViews


def with_network(game: AnyGame, network: AnyNetwork | str | Path) -> AnyGame:
    """A copy of the game that this network evaluates, or the one in a file.

    Nothing is compiled anew for it if a network of the same shape has been compiled.
    """
    own = copy.copy(game)
    own.network = checked(network, game) if isinstance(network, AnyNetwork) else loaded(network, game)
    return own


def checked(network: AnyNetwork, game: Game) -> AnyNetwork:
    """The network, if its shape fits the game."""
    require_two_players(game) if isinstance(network, TwoViews) else require_features(game)
    names = game.input_names()
    if network.inputs != len(names):
        raise NetworkError(f"the network has {network.inputs} inputs, and {game.title} has {len(names)} inputs")
    if network.phases != len(game.phase_names()):
        raise NetworkError(f"the network is for {network.phases} phases; {game.title} has {len(game.phase_names())}")
    if network.outcomes.names != output_names(game):
        raise NetworkError(
            f"the network has the outputs {', '.join(network.outcomes.names)}; {game.title} needs "
            f"{', '.join(output_names(game))}"
        )
    return network


def loaded(path: str | Path, game: Game) -> AnyNetwork:
    """The network in a file. A file is read once for each kind of game, and again after it has changed."""
    file = Path(path).absolute()
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        changed = 0
    found: AnyNetwork = _kept(file, changed, _Asking(game))
    return found


class _Asking:
    """A game as a key of the cache: equal for games of one class and the same features."""

    def __init__(self, game: Game):
        self.game = game
        self.about: Any = (type(game), game.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asking) and other.about == self.about

    def __hash__(self) -> int:
        return hash(self.about)


@functools.lru_cache(16)
def _kept(file: Path, changed: int, asking: _Asking) -> AnyNetwork:
    about, _ = files.read(file)
    kind = TwoViews if about["kind"] == TwoViews.kind else Network
    return kind.load(file, asking.game)
