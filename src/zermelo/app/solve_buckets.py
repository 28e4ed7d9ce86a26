"""`zermelo solve --method mccfr` for hold'em, which is too large to sample as it is: a strategy over buckets."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.equilibria.bucketed import Trainer
from zermelo.games.poker.buckets import Dealer, Limits
from zermelo.games.poker.holdem import Holdem
from zermelo.games.poker.strength import all_boards
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Stopped

SECONDS = 600.0
"""How long it trains by default."""
SAVED = 120.0
"""Seconds between two checkpoints."""


def train(
    game: Holdem, token: StopToken, tell: Callable[[str], Any], iterations: int | None, seconds: float | None,
    save: str | None, load: str | None,
) -> int:  # fmt: skip
    """Train a strategy over buckets and save it; returns the iterations so far."""

    def tell_share(share: float) -> None:
        tell(f"strength of all hands on all boards: {share:.0%}; then it trains")
        if token.is_set:
            raise Stopped

    tell_share(0.0)
    boards = all_boards(tell_share)
    limits = Limits.of(boards)
    trainer = Trainer(game, Dealer(boards, limits), limits, stop=token)
    if load is not None:
        trainer.resume(load)
    saved = time.perf_counter()

    def report(trainer: Trainer) -> None:
        nonlocal saved
        pace = trainer.iterations / max(trainer.seconds, 1e-9)
        tell(f"{trainer.iterations:,} iterations over buckets, {pace:,.0f} per second; Ctrl-C stops")
        if save is not None and time.perf_counter() - saved > SAVED:
            trainer.save(Path(save))
            saved = time.perf_counter()

    if seconds is None and iterations is None:
        seconds = SECONDS
    trainer.train(seconds=seconds, iterations=iterations, on_progress=report)
    if save is not None:
        trainer.save(Path(save))
    return trainer.iterations
