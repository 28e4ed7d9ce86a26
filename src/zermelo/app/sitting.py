"""A game in progress: the states and moves so far, whatever chance does, taking back, and saving it for later."""

from __future__ import annotations

import datetime
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from zermelo import __version__
from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.record import Record, drawn, outcome_name, read_games
from zermelo.games.resolve import position, resolve
from zermelo.kernel.files import write_whole
from zermelo.kernel.random import Random


class Sitting:
    """One game, from its beginning or from a position that was set up.

    what      the game as it is named on the command line, with its parameters, so that it can be saved
    start     the position that it began with, as text; None: as the game begins
    seed      decides what chance does at each ply; saved with the game
    moves     by their names; what chance brought as it prints
    """

    def __init__(self, what: str, parameters: dict[str, Any], start: str | None = None, seed: int | None = None):
        self.what, self.parameters, self.start = what, parameters, start
        self.seed = int.from_bytes(os.urandom(4), "big") if seed is None else seed
        self.game: Game = resolve(what, parameters)
        self.states = [self.game.initial() if start is None else position(self.game, start)]
        self.moves: list[str | None] = []
        self.random = Random(int.from_bytes(os.urandom(8), "big"))  # the players'

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def rules(self) -> Game:
        """The game, knowing the positions so far where its rules ask."""
        return self.game.remembering(self.states)

    @property
    def is_over(self) -> bool:
        return bool(self.rules.is_terminal(self.state))

    @property
    def is_chance(self) -> bool:
        """Is it for chance to move?"""
        return not self.is_over and self.game.to_move(self.state) == CHANCE

    def move(self, name: str) -> None:
        """A move by its name."""
        self.play(self.rules.action_named(self.state, name))

    def play(self, action: Any) -> None:
        """A move."""
        if action not in self.rules.legal(self.state):
            raise IllegalAction(f"{action!r} is not a legal move")
        self._append(self.game.action_name(self.state, action), self.game.result(self.state, action))

    def roll(self) -> str | None:
        """Let chance move: what it brought, None where that cannot be said."""
        after = drawn(self.game, self.state, self.seed, len(self.moves))
        name = outcome_name(self.game, self.state, after)
        self._append(name, after)
        return name

    def _append(self, name: str | None, after: Any) -> None:
        self.moves.append(name)
        self.states.append(after)

    def seen_by(self, player: int) -> tuple[tuple[Any, ...], tuple[str | None, ...]]:
        """The states and moves that a player may see: if the game hides something, one state it cannot tell apart."""
        if self.game.hidden:
            return (self.game.resample(self.state, player, self.random),), ()
        return tuple(self.states), tuple(self.moves)

    def undo(self, players: Collection[int]) -> None:
        """Back to the turn before of one of these players."""
        earlier = [i for i, s in enumerate(self.states[:-1]) if self.game.to_move(s) in players]
        if not earlier:
            raise IllegalAction("there is nothing to take back")
        del self.states[earlier[-1] + 1 :], self.moves[earlier[-1] :]

    def result(self) -> str:
        """How the game ended, in words."""
        worth = [self.game.utility(self.state, p) for p in range(self.game.players)]
        scores = ", ".join(f"{self.game.player_name(p)} {w:g}" for p, w in enumerate(worth))
        winners = [p for p, w in enumerate(worth) if w == max(worth)]
        if len({self.game.side(p) for p in winners}) > 1:
            return f"a draw  ({scores})" if len(winners) == len(worth) else f"shared  ({scores})"
        return f"{' and '.join(map(self.game.player_name, winners))} wins  ({scores})"

    def record(self, players: Sequence[str] = ()) -> Record:
        """The game, to be saved."""
        utilities = None
        if self.is_over:
            utilities = tuple(float(self.game.utility(self.state, p)) for p in range(self.game.players))
        return Record(
            self.what,
            tuple(self.moves),
            self.parameters,
            tuple(players),
            utilities,
            None if utilities is None else "rules",
            seed=self.seed,
            version=__version__,
            more={} if self.start is None else {"start": self.start},
        )

    @staticmethod
    def of(record: Record) -> Sitting:
        """A saved game, to be gone on with."""
        start = record.more.get("start")
        sitting = Sitting(record.game, record.parameters, None if start is None else str(start), record.seed)
        sitting.states, sitting.moves = record.states(sitting.game), list(record.moves)
        return sitting


def saved_in(path: Path) -> Record:
    """The one game in a file."""
    found = list(read_games(path))
    if len(found) != 1:
        raise GameError(f"{path} has {len(found)} games: one is needed to go on with")
    return found[0]


def save(path: Path, record: Record) -> None:
    """Write a game to a file of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, (record.line() + "\n").encode())


def folder() -> Path:
    """Where unfinished games are kept: in ZERMELO_STATE, or in the user's folder for such things."""
    chosen = os.environ.get("ZERMELO_STATE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "zermelo"


def from_anywhere(what: str) -> str:
    """A game's name that means the same in every folder: that of a file of one's own with the way to it."""
    path, dot, cls = what.partition(".py")
    return f"{Path(path).absolute()}{dot}{cls}" if dot else what


def fresh_file() -> Path:
    """A file for a game that begins now."""
    name = f"game-{datetime.datetime.now():%Y%m%d-%H%M%S-%f}.jsonl"
    return folder() / name


def unfinished(what: str | None = None) -> Path | None:
    """The file of the game that was left last, of this kind or of any; None: there is none."""
    wanted = None if what is None else from_anywhere(what)
    for path in sorted(folder().glob("game-*.jsonl"), reverse=True):
        try:
            record = saved_in(path)
        except (GameError, OSError):
            continue
        if record.ended is None and wanted in (None, record.game):
            return path
    return None
