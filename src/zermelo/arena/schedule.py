"""The schedule of a match: every opening is played by the same players from all seats. It follows from the seed."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from zermelo.arena.openings import Moves, Opening
from zermelo.arena.player import PATIENCE
from zermelo.game.protocol import Game


@dataclass(frozen=True)
class Conditions:
    """The conditions of every game of a match.

    seconds, increment   each side's clock at the start, and what is added after each of its moves; None: no clocks
    margin               seconds of tolerance before a player loses on time
    patience             per-move timeout in seconds, without clocks
    most_plies           plies after which a game is a draw
    agreed, moves        adjudicate a game if both sides have, for this many moves in a row, given it a value of at
                         least `agreed` of the way from a draw to a win for the same side; 0: never
    """

    seconds: float | None = None
    increment: float = 0.0
    margin: float = 0.0
    patience: float = PATIENCE
    most_plies: int = 5000
    agreed: float = 0.0
    moves: int = 4

    def __post_init__(self) -> None:
        for name, value, what, right in (
            ("seconds", self.seconds, "more than 0", self.seconds is None or 0 < self.seconds < math.inf),
            ("increment", self.increment, "at least 0", 0 <= self.increment < math.inf),
            ("margin", self.margin, "at least 0", 0 <= self.margin < math.inf),
            ("patience", self.patience, "more than 0", 0 < self.patience < math.inf),
            ("most_plies", self.most_plies, "at least 1", self.most_plies >= 1),
            ("agreed", self.agreed, "from 0 (never) to 1", 0 <= self.agreed <= 1),
            ("moves", self.moves, "at least 1", self.moves >= 1),
        ):
            if not right:
                raise ValueError(f"{name} must be {what}, not {value}")


@dataclass(frozen=True)
class Job:
    """One game to be played, as plain data that another process or machine understands."""

    game: str
    players: tuple[str, ...]  # one for each side, in words
    number: int
    pair: int
    parameters: dict[str, Any] = field(default_factory=dict)
    opening: Moves = ()
    seed: int = 0
    conditions: Conditions = field(default_factory=Conditions)

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Job:
        parameters = {name: _tuples(value) for name, value in data["parameters"].items()}
        return Job(
            **{
                **data,
                "players": tuple(data["players"]),
                "opening": tuple(data["opening"]),
                "parameters": parameters,
                "conditions": Conditions(**data["conditions"]),
            }
        )


def seatings(players: int, sides: int) -> list[list[tuple[int, ...]]]:
    """All pairings: for each set of opponents, the seatings in which every player plays from every seat.

    Two players at a game with two sides have two seatings. If a game has more sides than players, some players take
    several seats, but no player takes all. A one-player game is played by each player in turn.
    """
    if sides == 1:
        return [[(player,) for player in range(players)]]
    found = []
    for group in _groups(players, sides):
        rotations = [group[i:] + group[:i] for i in range(sides)]
        found.append(list(dict.fromkeys(rotations)))
    return found


def _groups(players: int, sides: int) -> Iterable[tuple[int, ...]]:
    if players >= sides:
        return itertools.combinations(range(players), sides)
    return [
        group for group in itertools.combinations_with_replacement(range(players), sides) if len(set(group)) == players
    ]


def mirrored(group: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The seatings in reverse order, so that with three or more seats no player always follows the same one."""
    return [seats[::-1] for seats in group] if len(group[0]) > 2 else group


def games_a_round(players: int, sides: int) -> int:
    """The number of games from each opening."""
    return sum(map(len, seatings(players, sides)))


def schedule(
    what: str,
    parameters: dict[str, Any],
    game: Game,
    players: list[str],
    rounds: int,
    openings: Iterator[Opening],
    conditions: Conditions,
) -> Iterator[Job]:
    """The games of all rounds, in order. In a round, every pairing plays the same opening."""
    groups = seatings(len(players), game.traits.sides)
    number = pair = 0
    for each_round in range(rounds):
        opening, dice = next(openings)
        for group in groups:
            for seats in group if each_round % 2 == 0 else mirrored(group):
                words = tuple(players[player] for player in seats)
                yield Job(what, words, number, pair, parameters, opening, dice, conditions)
                number += 1
            pair += 1


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
