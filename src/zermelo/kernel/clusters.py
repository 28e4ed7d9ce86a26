"""Ray: the connection to a cluster, or a new cluster on this machine. Ray is an optional package."""

from __future__ import annotations

from typing import Any

from zermelo.game.errors import ZermeloError


class RayConnection:
    """Ray, initialised; `close` ends it if it was started here.

    address   of the cluster; None: a new one on this machine
    """

    def __init__(self, address: str | None = None):
        try:
            import ray
        except ImportError:
            raise ZermeloError("a cluster needs Ray: pip install 'zermelo[ray]'") from None
        self.ray: Any = ray
        self.is_own = not ray.is_initialized()
        if self.is_own:
            ray.init(address=address, log_to_driver=False, include_dashboard=False if address is None else None)

    def close(self) -> None:
        if self.is_own:
            self.ray.shutdown()
