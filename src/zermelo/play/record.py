"""Saved games. A game is one line of JSON: which game it is, who played, every move by its name, variations, how it
ended, and the seed of chance. A `Record` has all of this as plain data, and plays the game again, position by position.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.game.errors import GameError, ZermeloError
from zermelo.game.protocol import Game
from zermelo.games.resolve import resolve
from zermelo.kernel.files import write_whole
from zermelo.pictures import draw
from zermelo.pictures.page import beside, table
from zermelo.play.play import Play
from zermelo.play.seats import seats_of

KIND = "game"
"""The value of `"zermelo"` in the lines that are games."""

RESIGNED = "Points"
"""The tag with the points of a game that was resigned."""


class Variation(NamedTuple):
    """Moves that branch off.

    after   the number of the position that they follow: 0 is the first position, the main line goes on from 1, and the
            positions of each variation are numbered after those of the variations before it
    """

    after: int
    moves: tuple[str | None, ...]


@dataclass(frozen=True)
class Record:
    """A saved game, finished or not.

    game         a registered name or a file, as on the command line; with its parameters
    moves        the main line, by names; a chance outcome as it prints, or None: drawn by the seed
    utilities    what the end was worth to each player; None: unknown, or a fault ended the game
    ended        how it ended: "rules", or "resignation", "time", "illegal move", "crash", "hang", "adjudication",
                 "length"
    charged      the seat that lost by a fault or by adjudication
    opening      how many of the moves were given, not chosen
    times        the seconds that each chosen move took; `values`: what the movers thought the position was worth, if
                 they said so; `movers`: their seats
    start        the first position as text; None: as the game begins
    variations   other moves, in the order of their positions' numbers
    notes        comments and marks (PGN's numbers) on positions, by their numbers
    tags         what a file says about the game, such as its players and date
    """

    game: str
    moves: tuple[str | None, ...]
    parameters: dict[str, Any] = field(default_factory=dict)
    players: tuple[str, ...] = ()  # one for each seat
    utilities: tuple[float, ...] | None = None
    ended: str | None = None  # None: it is not finished
    charged: int | None = None
    note: str = ""
    opening: int = 0
    seed: int = 0
    number: int | None = None
    pair: int | None = None
    times: tuple[float, ...] = ()
    values: tuple[float | None, ...] = ()
    movers: tuple[int, ...] = ()
    began: str = ""
    version: str = ""
    start: str | None = None
    variations: tuple[Variation, ...] = ()
    notes: dict[str, dict[str, Any]] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)  # fields that this version does not know

    @staticmethod
    def of(play: Play, game: str, **about: Any) -> Record:
        """The record of a play. `game` and its `parameters` say how to load the rules again."""
        line = play.main_line
        end = line[-1]
        if "ended" not in about and play.rules_at(end).is_terminal(end.state):
            about |= {"ended": "rules", "utilities": play.utilities(end)}
        moves, start = tuple(play.names(line)), play.start
        known: dict[str, Any] = {"seed": play.seed, "start": start, "tags": dict(play.tags)}
        known |= {"variations": _variations(play), "notes": _notes(play)}
        return Record(game, moves, **(known | about))

    def play(self, game: Game | None = None) -> Play:
        """The game, played again with all variations; every move is checked. It stands at the end of the main line."""
        play = Play(game or self.load(), start=self.start, seed=self.seed)
        play.follow(self.moves)
        end = play.here
        positions = end.line()
        for variation in self.variations:
            if variation.after >= len(positions):
                raise GameError(f"a variation follows position {variation.after}, and there are {len(positions)}")
            play.go_to(positions[variation.after])
            play.follow(variation.moves)
            positions += play.here.line()[-len(variation.moves) :]
        play.go_to(end)
        for number, note in self.notes.items():
            if not number.isdecimal() or int(number) >= len(positions):
                raise GameError(f"a note is on position {number[:20]!r}, and there are {len(positions)}")
            positions[int(number)].comment = note.get("comment", "")
            positions[int(number)].glyphs = tuple(note.get("glyphs", ()))
        play.tags = dict(self.tags)
        return play

    def states(self, game: Game | None = None) -> list[Any]:
        """The states of the main line, from the first one on; every move is checked."""
        play = Play(game or self.load(), start=self.start, seed=self.seed)
        play.follow(self.moves)
        return play.states

    def load(self) -> Game:
        """The rules by which it was played."""
        try:
            return resolve(self.game, self.parameters)
        except (TypeError, ValueError) as error:
            raise GameError(f"the saved game's parameters do not fit: {error}") from error

    # As JSON.

    def to_json(self) -> dict[str, Any]:
        """The game as plain data, without the fields that have their default."""
        data: dict[str, Any] = {"zermelo": KIND}
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in ("more", "variations") or value == each.default or value == {}:
                continue
            data[each.name] = list(value) if isinstance(value, tuple) else value
        if self.variations:
            data["variations"] = [{"after": each.after, "moves": list(each.moves)} for each in self.variations]
        return {**self.more, **data}

    def line(self) -> str:
        """The game as one line of JSON."""
        return json.dumps(self.to_json(), ensure_ascii=False, allow_nan=False)

    def save(self, path: Path) -> None:
        """Write the game to a file of its own."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, (self.line() + "\n").encode())

    @staticmethod
    def from_json(data: Any) -> Record:
        """The game that plain data describes; raises GameError if something is wrong with it."""
        if not isinstance(data, dict) or data.get("zermelo") != KIND:
            raise GameError(f'a saved game is a JSON object with "zermelo": "{KIND}", not {str(data)[:60]!r}')
        known = {each.name for each in fields(Record)}
        given = {name: value for name, value in data.items() if name in known and name != "more"}
        more = {name: value for name, value in data.items() if name not in known and name != "zermelo"}
        for name, what, is_right in _checks(data):
            if not is_right:
                raise GameError(f"a saved game's {name!r} is {what}, not {str(data.get(name))[:60]!r}")
        for name, value in given.items():
            if isinstance(value, list):
                given[name] = tuple(value)
        given["parameters"] = {n: _without_lists(v) for n, v in data.get("parameters", {}).items()}
        given["variations"] = tuple(Variation(each["after"], tuple(each["moves"])) for each in _listed(data))
        return Record(**given, more=more)

    # How it went.

    def points(self, game: Game, seat: int) -> float:
        """The seat's points: 1 for a win, ½ for a draw, 0 for a loss; against several opponents the average."""
        others = [other for other in range(len(seats_of(game))) if other != seat]
        return sum(self.compared(game, seat, other) for other in others) / len(others) if others else 0.5

    def compared(self, game: Game, seat: int, other: int) -> float:
        """1, ½ or 0 if this seat did better than the other one, the same or worse; a fault is worse than anything."""
        if self.charged is not None:
            return 0.5 + 0.5 * (self.charged == other) - 0.5 * (self.charged == seat)
        mine, its = self.worth(game, seat), self.worth(game, other)
        return 0.5 if mine is None or its is None or mine == its else float(mine > its)

    def worth(self, game: Game, seat: int) -> float | None:
        """The utility to a seat; after a fault the worst for the seat that made it; None: unknown."""
        player = seats_of(game)[seat][0]
        if self.utilities is not None:
            return self.utilities[player]
        low, high = game.utility_bounds(player)
        if not math.isfinite(high - low):
            return None
        return low if self.charged == seat else (low + high) / 2 if self.charged is None else high

    def _repr_html_(self) -> str:
        """For notebooks: the last position, the players, all moves, and how the game ended."""
        moves = " ".join(f"{number}. {name or 'chance'}" for number, name in enumerate(self.moves, 1))
        facts = [("players", ", ".join(self.players)), ("moves", moves), ("ended", self.ended or "not yet")]
        if self.utilities is not None:
            facts.append(("worth", ", ".join(f"{worth:g}" for worth in self.utilities)))
        if self.note:
            facts.append(("note", self.note))
        listed = table([fact for fact in facts if fact[1]], caption=self.game)
        try:
            game = self.load()
            return beside(draw(game, self.states(game)[-1]), listed)
        except ZermeloError:  # the game's file is not on this machine
            return listed


def _variations(play: Play) -> tuple[Variation, ...]:
    """All variations of a play, each after the one that it branches off from."""
    number = {position: i for i, position in enumerate(play.positions())}
    return tuple(
        Variation(number[line[0].before], tuple(map(play.name_of, line)))
        for line in play.lines()
        if line[0].before is not None
    )


def _notes(play: Play) -> dict[str, dict[str, Any]]:
    """The comments and marks of a play, by the numbers of their positions."""
    found: dict[str, dict[str, Any]] = {}
    for number, position in enumerate(play.positions()):
        note: dict[str, Any] = {"comment": position.comment} if position.comment else {}
        if position.glyphs:
            note["glyphs"] = list(position.glyphs)
        if note:
            found[str(number)] = note
    return found


def _checks(data: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """Every field of a saved game, what it should be, and whether it is."""
    movers = data.get("movers", [])
    return [
        ("game", "a name", isinstance(data.get("game"), str)),
        ("moves", "a list of names", _is_list(data.get("moves"), str | None)),
        ("parameters", "an object", isinstance(data.get("parameters", {}), dict)),
        ("players", "a list of names", _is_list(data.get("players", []), str)),
        ("utilities", "a list of numbers", _is_list(data.get("utilities") or [], float | int)),
        ("times", "a list of numbers", _is_list(data.get("times", []), float | int)),
        ("values", "a list of numbers", _is_list(data.get("values", []), float | int | None)),
        ("movers", "a list of seats", _is_list(movers, int) and all(_is_seat(each, data) for each in movers)),
        ("seed", "a whole number", isinstance(data.get("seed", 0), int)),
        ("opening", "a whole number", isinstance(data.get("opening", 0), int)),
        ("number", "a whole number", isinstance(data.get("number"), int | None)),
        ("pair", "a whole number", isinstance(data.get("pair"), int | None)),
        ("ended", "a word", isinstance(data.get("ended"), str | None)),
        ("charged", "a seat", data.get("charged") is None or _is_seat(data["charged"], data)),
        ("start", "the text of a position", isinstance(data.get("start"), str | None)),
        ("notes", 'an object with {"comment": text, "glyphs": numbers}', _are_notes(data.get("notes", {}))),
        ("tags", "an object with texts", _are_tags(data.get("tags", {}))),
        ("variations", 'a list of {"after": number, "moves": names}', all(map(_is_variation, _listed(data)))),
    ]


def _listed(data: dict[str, Any]) -> list[Any]:
    """The variations as they are in the data."""
    value = data.get("variations", [])
    return value if isinstance(value, list) else [value]


def _is_variation(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    after, moves = value.get("after"), value.get("moves")
    return isinstance(after, int) and after >= 0 and bool(moves) and _is_list(moves, str | None)


def _are_notes(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(note, dict) and isinstance(note.get("comment", ""), str) and _is_list(note.get("glyphs", []), int)
        for note in value.values()
    )


def _are_tags(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


def _is_list(value: Any, kind: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(item, kind) and not (isinstance(item, float) and math.isnan(item)) for item in value
    )


def _is_seat(value: Any, data: dict[str, Any]) -> bool:
    players = data.get("players", [])
    return isinstance(value, int) and isinstance(players, list | tuple) and 0 <= value < (len(players) or math.inf)


def _without_lists(value: Any) -> Any:
    return tuple(_without_lists(item) for item in value) if isinstance(value, list) else value
