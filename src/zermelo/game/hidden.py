"""Hidden information: what a player knows of a state, and states that the player cannot tell apart."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from zermelo.game.rules import Rules, State


class HiddenInformation(Rules):
    """What a game defines if its class declares `hidden`."""

    def information(self, s: State, p: int) -> Hashable:
        """All that player p can know in this state: equal for states that p cannot tell apart."""
        raise NotImplementedError

    def resample(self, s: State, p: int, random: Any) -> State:
        """A random state that player p cannot tell from s, drawn by its probability."""
        raise NotImplementedError
