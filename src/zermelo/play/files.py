"""Files of saved games: one JSON object on each line. Lines of other kinds, such as a match's settings, are skipped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.game.errors import GameError
from zermelo.play.record import KIND, Record


def read_games(path: str | Path) -> Iterator[Record]:
    """The games of a file, one by one. An unfinished last line is ignored."""
    for number, data in enumerate(read_lines(Path(path)), 1):
        if data.get("zermelo") != KIND:
            continue
        try:
            record = Record.from_json(data)
        except GameError as error:
            raise GameError(f"{path}, line {number}: {error}") from None
        yield record


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file; raises GameError with the line number if a line is not one."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                data = json.loads(line)
            except RecursionError:
                raise GameError(f"{path}, line {number} is nested too deep to be a saved game") from None
            except ValueError as error:
                if not line.endswith(b"\n"):
                    return  # writing was interrupted
                raise GameError(f"{path}, line {number} is not JSON: {error}") from None
            if not isinstance(data, dict):
                raise GameError(f"{path}, line {number} is not a JSON object")
            yield data
