"""`BucketStrategy`: a strategy for hold'em over buckets, in a small file. It plays by the real rules."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.equilibria.betting import BettingTree
from zermelo.equilibria.strategy import FORMAT, Strategy, StrategyError, about_in, reading
from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.games.poker.buckets import Limits
from zermelo.games.poker.holdem import SLOT, Holdem, HoldemState, count_cards
from zermelo.games.poker.strength import LEVELS
from zermelo.kernel.archives import read_arrays
from zermelo.kernel.files import write_whole

SHARES = 31
"""Probabilities are kept in so many parts. What is less than half a part is never played, which does little harm:
rare moves of an average strategy are mostly those of early iterations."""


class BucketStrategy:
    """How often to play each move, at each node of the betting and in each bucket.

    shares   for each street [entry, bucket]: the parts of `SHARES`
    """

    def __init__(self, game: Holdem, limits: Limits, shares: list[Any], about: dict[str, Any]):
        self.game, self.limits, self.shares, self.about = game, limits, shares, about
        self.tree = BettingTree(game)
        self._last: tuple[Any, int] | None = None

    def policy(self, s: HoldemState) -> dict[int, float]:
        """The probability of each legal move of the player to move."""
        node = self.tree.node_of(s)
        first = self.tree.start[node]
        shares = self.shares[s.street][first : first + self.tree.count[node], self._bucket(s)]
        return dict(zip(self.tree.moves[node], (shares / shares.sum()).tolist(), strict=True))

    def _bucket(self, s: HoldemState) -> int:
        """The bucket of the mover. On the flop it takes some milliseconds, so the last one is kept."""
        own = s.first if s.mover == 0 else s.second
        if self._last is None or self._last[0] != (own, s.board):
            one, other = numbers_of(own)
            self._last = (own, s.board), self.limits.bucket((one, other), numbers_of(s.board))
        return self._last[1]

    def save(self, path: str | Path, **more: Any) -> None:
        """Write the strategy, completely or not at all; `more` has arrays to keep with it."""
        about = {"format": FORMAT, "game": self.game.name, **self.about}
        limits, data = self.limits, io.BytesIO()
        np.savez_compressed(
            data, about=np.frombuffer(json.dumps(about).encode(), np.uint8), flop_limits=limits.flop,
            turn_limits=limits.turn, river_limits=limits.river,
            **{f"shares_{street}": shares for street, shares in enumerate(self.shares)}, **more,
        )  # fmt: skip
        write_whole(Path(path), data.getvalue())

    @staticmethod
    def load(path: str | Path, game: Game) -> BucketStrategy:
        """Read a strategy for this game."""
        with reading(path, "a strategy over buckets"):
            arrays = read_arrays(path)
            about = about_in(arrays)
            if about.get("game") != game.name or not isinstance(game, Holdem):
                raise StrategyError(f"the strategy in {path} is for {about.get('game')}, and this is {game.name}")
            limits = Limits(arrays["flop_limits"], arrays["turn_limits"], arrays["river_limits"])
            made = BucketStrategy(game, limits, [arrays[f"shares_{street}"] for street in range(4)], about)
            made._require_sound()
        return made

    def _require_sound(self) -> None:
        """Raise a ValueError unless the arrays fit the game, and the shares of every decision add up."""
        tree, limits = self.tree, self.limits
        if any(each.dtype != np.int64 or each.ndim != 2 or each.size == 0 for each in (limits.flop, limits.turn)):
            raise ValueError("its limits between buckets are no table")
        if limits.river.dtype != np.int64 or limits.river.shape != (LEVELS,) or limits.river.min() < 0:
            raise ValueError("its buckets of the river are no list")
        wanted = [(int(width), n) for width, n in zip(tree.entries, limits.counts(), strict=True)]
        if [each.shape for each in self.shares] != wanted:
            raise ValueError("its probabilities do not fit its buckets")
        for street, shares in enumerate(self.shares):
            sums = np.add.reduceat(shares, tree.start[tree.street == street], axis=0, dtype=np.int64)
            if shares.dtype != np.uint8 or (sums != SHARES).any():
                raise ValueError("its probabilities do not add up to 1")


def rounded(total: Any) -> Any:
    """How often each move was played, as parts of `SHARES`: rows of whole numbers with that sum."""
    sums = total.sum(axis=1, keepdims=True)
    exact = np.where(sums > 0, total / np.where(sums > 0, sums, 1.0), 1.0 / total.shape[1]) * SHARES
    parts = np.floor(exact + 0.5).astype(np.int64)
    rows = np.arange(len(parts))
    parts[rows, exact.argmax(axis=1)] += SHARES - parts.sum(axis=1)  # the most frequent move takes what is left over
    return parts.astype(np.uint8)


def numbers_of(cards: int) -> tuple[int, ...]:
    """The cards of a list, from 0 to 51."""
    return tuple((cards >> SLOT * i & 63) - 1 for i in range(count_cards(cards)))


def load_strategy(path: str, game: Game) -> Strategy | BucketStrategy:
    """The strategy in a file; with no path, the one that comes with the game."""
    if not path:
        own = game.own_strategy()
        if own is None:
            raise GameError(
                f"{game.title} comes with no strategy; save one with `zermelo solve`, and give its file, as in "
                "equilibrium:leduc.npz"
            )
        path = str(own)
    try:
        is_bucketed = "flop_limits" in read_arrays(path)
    except (OSError, ValueError):
        is_bucketed = False
    return BucketStrategy.load(path, game) if is_bucketed else Strategy.load(path, game)
