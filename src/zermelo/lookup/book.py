"""An opening book for any game: the moves played in each position, how often, and with what results.

It is made from saved games; for chess also from PGN, for checkers from PDN. A position is known by its key, so that
other orders of moves that lead to it count too.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.game.errors import NotationError, ZermeloError
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.checkers import Checkers, pdn
from zermelo.games.chess import Chess, pgn
from zermelo.kernel.random import Random
from zermelo.lookup import one_of
from zermelo.play.files import read_games
from zermelo.play.record import Record
from zermelo.play.seats import seat_of

PLIES = 24
"""How far into a game a book looks."""

NOTATIONS: dict[str, tuple[type[Game], Callable[[str], Iterable[pgn.Record | pdn.Record]]]] = {
    ".pgn": (Chess, pgn.read),
    ".pdn": (Checkers, pdn.read),
}
"""Files that are not in zermelo's own format, by the ending of their names: the game, and what reads them."""


@dataclass(frozen=True)
class BookMove:
    """Statistics of one move: how often it was played, and its points (1 for a win, ½ for a draw)."""

    action: Any
    name: str
    games: int
    points: float

    @property
    def score(self) -> float:
        """The share of the points."""
        return self.points / self.games


class Book:
    """The moves of a game's openings, with their statistics."""

    def __init__(self, game: Game, plies: int = PLIES):
        self.game, self.plies = game, plies
        self.games = 0
        self._positions: dict[int, dict[Any, list[float]]] = {}  # by key: action to times played and points

    @staticmethod
    def from_file(path: str | Path, game: Game, plies: int = PLIES) -> Book:
        """The book of a file of games. Games of another kind are skipped; it is an error if all are."""
        if not Path(path).is_file():
            raise ValueError(f"there is no file of games {str(path)!r} to make a book of")
        book = Book(game, plies)
        ending = Path(path).suffix.casefold()
        if ending not in NOTATIONS:
            book.add(read_games(path))
        else:
            kind, read = NOTATIONS[ending]
            if not isinstance(game, kind):
                raise ValueError(f"{path} has games of {kind.__name__.lower()}, and this is {game.title}")
            try:
                book.add_recorded(read(Path(path).read_text(errors="replace")))
            except NotationError as error:
                raise NotationError(f"{path}: {error}") from None
        if not book.games:
            raise ValueError(f"{path} has no finished games of {game.title} to make a book of")
        return book

    def add(self, records: Iterable[Record]) -> Book:
        """Count these games: those that are finished, and of this game."""
        rules: dict[str, Game | None] = {}
        for record in records:
            about = f"{record.game} {sorted(record.parameters.items())}"
            if about not in rules:
                rules[about] = _rules_of(record, self.game)
            game = rules[about]
            if game is not None and record.ended is not None:
                self._count(record, game)
        return self

    def _count(self, record: Record, game: Game) -> None:
        self.games += 1
        play = dataclasses.replace(record, moves=record.moves[: self.plies], variations=()).play(game)
        for before, after in itertools.pairwise(play.main_line):
            player = game.to_move(before.state)
            if player != CHANCE:
                self._note(before.state, after.action, record.points(game, seat_of(game, player)))

    def add_recorded(self, records: Iterable[pgn.Record | pdn.Record]) -> Book:
        """Count these games of chess or checkers: those that have a result."""
        for record in records:
            if record.result == "*":
                continue
            self.games += 1
            beginner = {"1-0": 1.0, "0-1": 0.0}.get(record.result, 0.5)
            states: Iterable[Any] = record.states()
            for s, move in zip(states, record.moves[: self.plies], strict=False):
                self._note(s, move.action, beginner if s.mover == 0 else 1 - beginner)
        return self

    def _note(self, s: Any, action: Any, points: float) -> None:
        known = self._positions.setdefault(self.game.key(s), {}).setdefault(action, [0, 0.0])
        known[0] += 1
        known[1] += points

    def moves(self, s: Any, count: int = 1) -> list[BookMove]:
        """The legal moves that were played here at least so often, the most frequent first."""
        game = self.game
        known = self._positions.get(game.key(s), {})
        legal = set(game.legal(s)) if known else set()
        found = [
            BookMove(action, game.action_name(s, action), int(games), won)
            for action, (games, won) in known.items()
            if games >= count and action in legal
        ]
        return sorted(found, key=lambda move: (-move.games, -move.points, move.name))

    def choose(self, s: Any, random: Random, count: int = 2, *, best: bool = False) -> Any:
        """One of the moves played at least so often; None: no such.

        A move is chosen with a probability proportional to its points, or it is the one with the most points.
        """
        found = self.moves(s, count)
        if best and found:
            return max(found, key=lambda move: move.points).action
        chosen = one_of(found, lambda move: move.points, random)
        return None if chosen is None else chosen.action

    def __len__(self) -> int:
        return len(self._positions)


def _rules_of(record: Record, game: Game) -> Game | None:
    """The rules of a recorded game, if they are this game's; for chess, with any start and draw rules."""
    if record.game == game.name:
        return game
    try:
        rules = record.load()
    except (ZermeloError, ValueError, TypeError):
        return None
    is_chess = isinstance(game, Chess) and isinstance(rules, Chess)
    return rules if is_chess or rules.name == game.name else None
