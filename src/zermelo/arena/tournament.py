"""Matches and tournaments: from the settings to the games, to the file that keeps them, to the standings."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.arena.openings import Opening, openings_from, random_openings, usual_plies
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
"""Of how many openings it is looked whether they repeat."""

OnGame = Callable[[Record, Standings], Any]


@dataclass(frozen=True)
class Settings:
    """All that decides which games are played: the same settings are the same games.

    openings   how many random plies each game begins with, or a file of openings; by default what suits the game
    """

    game: str
    players: tuple[str, ...]
    rounds: int = 50
    parameters: dict[str, Any] = field(default_factory=dict)
    openings: int | str | None = None
    seed: int = 0
    conditions: Conditions = field(default_factory=Conditions)

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data, with a digest of the openings where they are in a file."""
        data = dataclasses.asdict(self)
        if isinstance(self.openings, str):
            data["openings_digest"] = hashlib.sha256(Path(self.openings).read_bytes()).hexdigest()[:16]
        return data


class Tournament:
    """A match between two, or a tournament of many: everybody meets everybody from the same openings."""

    def __init__(self, settings: Settings, game: Game | None = None):
        if len(set(settings.players)) < len(settings.players):
            raise ValueError("two of the players are the same: their games would tell nothing")
        self.settings = settings
        self.game = game or resolve(settings.game, settings.parameters)
        if self.game.traits.sides > 1 and len(settings.players) < 2:
            raise ValueError("a match needs at least two players")
        if settings.rounds < 1:
            raise ValueError(f"a match needs at least one round, not {settings.rounds}")
        if isinstance(settings.openings, str):
            openings_from(settings.openings, self.game)  # what is wrong with them is said now
        elif settings.openings is not None and settings.openings < 0:
            raise ValueError(f"openings have a number of random plies of at least 0, not {settings.openings}")

    @property
    def total(self) -> int:
        """How many games it has."""
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
        """Openings without end."""
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
        """How many openings there are, where they come round again among the first of them; None where they do not."""
        if self.game.chance:
            return None
        count = min(self.settings.rounds, LOOKED_AT)
        different = len({moves for moves, _ in itertools.islice(self.openings(), count)})
        return different if different < count else None

    def play(
        self, pool: Pool, path: Path | None = None, *, sprt: Sprt | None = None, on_game: OnGame | None = None
    ) -> Standings:
        """Play what is not in the file yet, and keep every game there; the standings at the end.

        With a sequential test, which is for a match of two, until it has decided.
        """
        if sprt is not None and len(self.settings.players) != 2:
            raise ValueError(f"a sequential test is for a match of two, not for {len(self.settings.players)} players")
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
    """Let players meet, everybody everybody from the same openings with the seats exchanged; the standings.

    game         a game, or its name, or a file of one's own
    players      in words, such as "engine:seconds=0.1"; or objects
    rounds       from how many openings
    openings     how many random plies they have, or a file of them; by default what suits the game
    workers      how many processes play side by side; 0, and where a game or a player is an object or a person: here
    file         where every finished game is kept; where it exists, the rest is played
    sprt         of two players: the sequential test that ends the match as soon as it has decided
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
    """A match between two players, two games from each opening; see `tournament`."""
    sides = (resolve(game, options.get("parameters") or {}) if isinstance(game, str) else game).traits.sides
    rounds = -(-games // games_a_round(2, sides))
    return tournament(game, [first, second], rounds=rounds, **options)
