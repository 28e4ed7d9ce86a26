"""Filling one file with positions, block after block."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.game.hashing import mix
from zermelo.game.protocol import Game
from zermelo.kernel.stopping import StopToken
from zermelo.learn.positions.files import Appender
from zermelo.learn.positions.generator import BLOCK, Generator, PlaySettings


def fill(game: Game, path: Path, settings: PlaySettings, worker: int, wanted: int, tell: Any, stop: StopToken) -> None:
    """Append blocks to a file until it has at least so many positions."""
    generator = Generator(game, settings)
    with Appender(path, game, {**settings.to_json(), "worker": worker}) as file:
        while file.count < wanted and not stop.is_set:
            number = mix(worker, file.count)  # so that a resumed file continues as if it had never been interrupted
            file.append(generator.block(number, min(BLOCK, wanted - file.count), stop))
            tell({"worker": worker, **generator.report, "positions": file.count})
