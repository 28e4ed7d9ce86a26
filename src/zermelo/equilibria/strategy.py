"""`Strategy`: how often to play each move in each information set; read, saved, queried and played."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.equilibria.methods import METHODS
from zermelo.game.errors import GameError, StateError
from zermelo.game.hashing import mix, mixed
from zermelo.game.protocol import Game
from zermelo.kernel.archives import read_arrays
from zermelo.kernel.files import write_whole

FORMAT = 1
"""The version of the files; a reader refuses those of later ones."""


class StrategyError(GameError):
    """A file that is no strategy, or one for another game."""


class Strategy:
    """A strategy for all players of a game.

    keys            the information sets, each by its key, in ascending order
    starts          the moves of set i are moves[starts[i] : starts[i + 1]]
    moves, chances  legal moves and how often to play each
    about           where it comes from: method, iterations, values, nash_conv, curve
    """

    def __init__(self, game: Game, keys: Any, starts: Any, moves: Any, chances: Any, about: dict[str, Any]):
        self.game, self.about = game, about
        self.keys, self.starts = np.asarray(keys, np.uint64), np.asarray(starts, np.int64)
        self.moves, self.chances = np.asarray(moves, np.int64), np.asarray(chances, np.float64)

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def values(self) -> tuple[float, ...]:
        """The expected utility of each player, if all follow the strategy."""
        return tuple(self.about.get("values", ()))

    @property
    def nash_conv(self) -> float:
        """What best responses would gain, added up over the players; infinite if unknown."""
        return float(self.about.get("nash_conv", np.inf))

    @property
    def exploitability(self) -> float:
        """The mean over the players of what a best response would gain."""
        return self.nash_conv / self.game.players

    def place_of(self, s: Any, player: int) -> int:
        """The number of the information set that a player is in; -1 if the strategy says nothing about it."""
        key = np.uint64(key_of(self.game, s, player))
        place = int(np.searchsorted(self.keys, key))
        return place if place < len(self.keys) and self.keys[place] == key else -1

    def policy(self, s: Any) -> dict[int, float]:
        """The probability of each legal move of the player to move."""
        place = self.place_of(s, self.game.to_move(s))
        if place < 0:
            raise StateError(f"the strategy says nothing about this state of {self.game.title}")
        part = slice(self.starts[place], self.starts[place + 1])
        return dict(zip(self.moves[part].tolist(), self.chances[part].tolist(), strict=True))

    def save(self, path: str | Path, **more: Any) -> None:
        """Write the strategy, completely or not at all; `more` has arrays to keep with it."""
        about = {"format": FORMAT, "game": self.game.name, **self.about}
        data = io.BytesIO()
        np.savez_compressed(
            data, about=np.frombuffer(json.dumps(about).encode(), np.uint8), keys=self.keys, starts=self.starts,
            moves=self.moves, chances=self.chances, **more,
        )  # fmt: skip
        write_whole(Path(path), data.getvalue())

    @classmethod
    def load(cls, path: str | Path, game: Game) -> Strategy:
        """Read a strategy for this game."""
        arrays = read_strategy(path)
        about = arrays["about"]
        if about.get("game") != game.name:
            raise StrategyError(f"the strategy in {path} is for {about.get('game')}, and this is {game.name}")
        return cls(game, arrays["keys"], arrays["starts"], arrays["moves"], arrays["chances"], about)


def key_of(game: Game, s: Any, player: int) -> int:
    """The key of the information set that a player is in."""
    return mix(mixed(game.information(s, player) if game.hidden else s), player)


def read_strategy(path: str | Path) -> dict[str, Any]:
    """The arrays of a file, checked, with its description under "about"."""
    with reading(path, "the file of a strategy"):
        arrays = read_arrays(path)
        about = about_in(arrays)
        _require_sound(*(arrays[name] for name in ("keys", "starts", "moves", "chances")))
    return {**arrays, "about": about}


def method_of(path: str | Path) -> str:
    """The method that has made the strategy in a file, as `zermelo solve --method` names it."""
    with reading(path, "the file of a strategy"):
        name = str(about_in(read_arrays(path)).get("method", "")).partition(" ")[0]  # "mccfr over buckets"
        if name not in (*METHODS, "mccfr"):
            raise ValueError(f"it was made by an unknown method, {name!r}")
        return name


@contextlib.contextmanager
def reading(path: str | Path, what: str) -> Iterator[None]:
    """Within this context, everything that may be wrong with a file is a StrategyError."""
    try:
        yield
    except StrategyError:  # which is a ValueError, and says already what is wrong
        raise
    except FileNotFoundError:
        raise StrategyError(f"there is no file {str(path)!r}") from None
    except OSError as error:
        raise StrategyError(f"{path} cannot be read: {error.strerror or error}") from None
    except KeyError as error:
        raise StrategyError(f"{path} is not {what}: it has no array {error}") from None
    except ValueError as error:
        raise StrategyError(f"{path} is not {what}, or it is damaged: {error}") from None


def about_in(arrays: dict[str, Any]) -> dict[str, Any]:
    """What a file says about its strategy; raises a ValueError if it says nothing, or comes from a later version."""
    about = json.loads(arrays["about"].tobytes())
    if not isinstance(about, dict) or not isinstance(about.get("format"), int):
        raise ValueError("it says nothing about a strategy")
    if about["format"] > FORMAT:
        raise ValueError(f"it has format {about['format']}; this version reads formats up to {FORMAT}")
    return about


def _require_sound(keys: Any, starts: Any, moves: Any, chances: Any) -> None:
    """Raise a ValueError unless the arrays fit together and every set has probabilities that add up to 1."""
    if keys.dtype != np.uint64 or starts.dtype != np.int64 or len(starts) != len(keys) + 1:
        raise ValueError("its information sets do not fit together")
    if np.any(keys[1:] <= keys[:-1]) or starts[0] != 0 or np.any(np.diff(starts) < 1):
        raise ValueError("its information sets are not in order")
    if not len(moves) == len(chances) == starts[-1] or moves.dtype != np.int64 or chances.dtype != np.float64:
        raise ValueError("its moves and probabilities do not fit together")
    sums = np.add.reduceat(chances, starts[:-1]) if len(keys) else np.ones(0)
    if not (chances >= 0).all() or not np.allclose(sums, 1.0, atol=1e-6):
        raise ValueError("its probabilities do not add up to 1")
