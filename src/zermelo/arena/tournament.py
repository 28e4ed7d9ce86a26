"""Matches and tournaments: from settings to games, to a file, to standings."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.arena.openings import Opening, openings_file, openings_from, random_openings, usual_plies
from zermelo.arena.player import Player
from zermelo.arena.pool import Here, Pool, Workers
from zermelo.arena.roster import player_of
from zermelo.arena.schedule import Conditions, Job, games_a_round, schedule
from zermelo.arena.sequential import Sprt
from zermelo.arena.standings import Standings
from zermelo.arena.storage import GameFile
from zermelo.game.hashing import mixed
from zermelo.game.protocol import Game
from zermelo.games import words_for
from zermelo.games.resolve import resolve
from zermelo.play.record import Record

LOOKED_AT = 200
"""Openings that are checked for repetition."""

OnGame = Callable[[Record, Standings], Any]


@dataclass(frozen=True)
class Settings:
    """The settings of a match. The same settings give the same games.

    openings   random plies at the start of each game, a file of openings, or a list that comes with the game,
               such as "three_move" of checkers; by default what suits the game
    """

    game: str
    players: tuple[str, ...]
    rounds: int = 50
    parameters: dict[str, Any] = field(default_factory=dict)
    openings: int | str | None = None
    seed: int = 0
    conditions: Conditions = field(default_factory=Conditions)

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data, with a digest of the file of openings, if there is one."""
        data = dataclasses.asdict(self)
        if isinstance(self.openings, str):
            data["openings_digest"] = hashlib.sha256(Path(self.openings).read_bytes()).hexdigest()[:16]
        return data


class Tournament:
    """A match between two players, or a round-robin tournament. All pairings play the same openings."""

    def __init__(self, settings: Settings, game: Game | None = None):
        if len(set(settings.players)) < len(settings.players):
            raise ValueError("two of the players are the same")
        self.game = game or resolve(settings.game, settings.parameters)
        if isinstance(settings.openings, str):
            settings = dataclasses.replace(settings, openings=str(openings_file(settings.openings, self.game)))
        self.settings = settings
        if self.game.traits.sides > 1 and len(settings.players) < 2:
            raise ValueError("a match needs at least two players")
        if settings.rounds < 1:
            raise ValueError(f"a match needs at least one round, not {settings.rounds}")
        if isinstance(settings.openings, str):
            openings_from(settings.openings, self.game)  # reports errors before the first game
        elif settings.openings is not None and settings.openings < 0:
            raise ValueError(f"openings must have at least 0 random plies, not {settings.openings}")

    @property
    def total(self) -> int:
        """The number of games."""
        return self.settings.rounds * games_a_round(len(self.settings.players), self.game.traits.sides)

    def jobs(self) -> Iterator[Job]:
        """Its games, in order."""
        settings = self.settings
        return schedule(
            settings.game,
            settings.parameters,
            self.game,
            list(settings.players),
            settings.rounds,
            self.openings(),
            settings.conditions,
        )

    def openings(self) -> Iterator[Opening]:
        """An endless stream of openings."""
        settings, game = self.settings, self.game
        if isinstance(settings.openings, str):
            found = openings_from(settings.openings, game)
            return ((moves, mixed((settings.seed, i))) for i, moves in enumerate(itertools.cycle(found)))
        if settings.openings is not None:
            return random_openings(game, settings.openings, settings.seed)
        for plies in range(usual_plies(game), 0, -1):
            try:
                next(random_openings(game, plies, settings.seed))
            except ValueError:
                continue
            return random_openings(game, plies, settings.seed)
        return random_openings(game, 0, settings.seed)

    def repeated_openings(self) -> int | None:
        """The number of different openings if they repeat; None if they do not."""
        if self.game.chance:
            return None
        count = min(self.settings.rounds, LOOKED_AT)
        different = len({moves for moves, _ in itertools.islice(self.openings(), count)})
        return different if different < count else None

    def play(
        self, pool: Pool, path: Path | None = None, *, sprt: Sprt | None = None, on_game: OnGame | None = None
    ) -> Standings:
        """Play the games that are not in the file yet, save each one there, and return the standings.

        With a sequential test, for two players only, stop as soon as it decides.
        """
        if sprt is not None and len(self.settings.players) != 2:
            raise ValueError(f"a sequential test is for two players, not for {len(self.settings.players)}")
        file = None
        standings = Standings(self.game, self.settings.players, sprt)
        try:
            if path is not None:
                file = GameFile(path, self.settings.to_json())
            for record in file.records if file is not None else ():
                standings.add(record)
            played = set(standings.numbers)
            if standings.is_decided:
                return standings
            for record in pool.play(job for job in self.jobs() if job.number not in played):
                if file is not None:
                    file.append(record)
                standings.add(record)
                if on_game is not None:
                    on_game(record, standings)
                if standings.is_decided:
                    break
        finally:
            pool.close()
            if file is not None:
                file.close()
        return standings


def tournament(
    game: Game | str,
    players: list[str | Player],
    *,
    rounds: int = 50,
    workers: int = 1,
    file: str | Path | None = None,
    seed: int = 0,
    openings: int | str | Path | None = None,
    sprt: Sprt | None = None,
    on_game: OnGame | None = None,
    parameters: dict[str, Any] | None = None,
    **conditions: Any,
) -> Standings:
    """Play a round-robin tournament and return the standings. All pairings play the same openings from all seats.

    game         a game, its name, or a file
    players      in words, such as "engine:seconds=0.1"; or objects
    rounds       openings per pairing
    openings     random plies per opening, or a file of openings; by default what suits the game
    workers      worker processes; 0, and games or players that are objects or people: this process
    file         every finished game is saved here; an existing file is resumed
    sprt         for two players: a sequential test that ends the match as soon as it decides
    conditions   see `Conditions`
    """
    if workers < 0:
        raise ValueError(f"workers must be a whole number of at least 0, not {workers}")
    made = resolve(game, parameters or {}) if isinstance(game, str) else game
    names = tuple(each if isinstance(each, str) else f"{each.name} {i}" for i, each in enumerate(players, 1))
    what, how = (game, parameters or {}) if isinstance(game, str) else words_for(game) or (game.name, {})
    given = str(openings) if isinstance(openings, Path) else openings
    settings = Settings(what, names, rounds, how, given, seed, Conditions(**conditions))
    meeting = Tournament(settings, made)
    seated = {
        name: player_of(each, made) if isinstance(each, str) else each
        for name, each in zip(names, players, strict=True)
    }
    by_words = isinstance(game, str) and all(isinstance(each, str) for each in players)
    pool: Pool = Here(made, seated)
    if workers and by_words and not any(player.is_person for player in seated.values()):
        pool.close()
        pool = Workers(workers)
    return meeting.play(pool, None if file is None else Path(file), sprt=sprt, on_game=on_game)


def match(
    game: Game | str, first: str | Player, second: str | Player, *, games: int = 100, **options: Any
) -> Standings:
    """Play a match between two players, two games from each opening; see `tournament`."""
    sides = (resolve(game, options.get("parameters") or {}) if isinstance(game, str) else game).traits.sides
    rounds = -(-games // games_a_round(2, sides))
    return tournament(game, [first, second], rounds=rounds, **options)
