"""Networks over a game's features, compiled into whatever evaluates the game."""

from zermelo.networks.batch import after_moves, outputs
from zermelo.networks.files import NetworkError
from zermelo.networks.network import Network
from zermelo.networks.outcomes import ExpectedUtility
from zermelo.networks.siblings import Siblings
from zermelo.networks.two_views import TwoViews
from zermelo.networks.using import with_network

__all__ = [
    "ExpectedUtility", "Network", "NetworkError", "Siblings", "TwoViews", "after_moves", "outputs", "with_network",
]  # fmt: skip
