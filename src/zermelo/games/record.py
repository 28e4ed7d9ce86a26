"""Saved games: one game is one line of JSON, whatever game it is; and the reader for files of them.

A line says which game it is, who played, every move by its name, how it ended, and the seed of its dice, so that the
game can be played again, state by state. Lines of other kinds (the settings of a tournament) may stand between them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from zermelo.game.errors import GameError, IllegalAction, ZermeloError
from zermelo.game.hashing import mixed
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import position, resolve
from zermelo.kernel.random import Random
from zermelo.pictures import draw
from zermelo.pictures.page import beside, table

KIND = "game"
"""What `"zermelo"` says in the lines that are games."""


@dataclass(frozen=True)
class Record:
    """A game as it was played, finished or not.

    game        a registered name, or a file of one's own, as on the command line; with its parameters
    moves       by their names; what chance brought as it prints, and where it cannot be listed None: drawn by the seed
    utilities   what the end was worth to each player; None where there is none, or a fault ended it
    ended       how it ended: "rules", or what else: "time", "illegal move", "crash", "hang", "adjudication", "length"
    charged     the seat that lost by a fault, or by what both sides agreed on
    opening     how many of the moves were given, not chosen
    times       the seconds that each chosen move took; the values that the movers gave it, where they did; and whose
                turn it was, by their seats
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
    more: dict[str, Any] = field(default_factory=dict)  # what this version does not know, kept as it is

    def to_json(self) -> dict[str, Any]:
        """The game as plain data; what goes without saying is left out."""
        data: dict[str, Any] = {"zermelo": KIND}
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "more" or value == each.default or value == {}:
                continue
            data[each.name] = list(value) if isinstance(value, tuple) else value
        return {**self.more, **data}

    def line(self) -> str:
        """The game as one line of JSON."""
        return json.dumps(self.to_json(), ensure_ascii=False, allow_nan=False)

    @staticmethod
    def from_json(data: Any) -> Record:
        """The game that plain data describes; raises GameError where it describes none."""
        if not isinstance(data, dict) or data.get("zermelo") != KIND:
            raise GameError(f'a saved game is a JSON object with "zermelo": "{KIND}", not {str(data)[:60]!r}')
        known = {each.name for each in fields(Record)}
        given = {name: value for name, value in data.items() if name in known and name != "more"}
        more = {name: value for name, value in data.items() if name not in known and name != "zermelo"}
        movers = data.get("movers", [])
        for name, what, right in (
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
        ):
            if not right:
                raise GameError(f"a saved game's {name!r} is {what}, not {str(data.get(name))[:60]!r}")
        for name, value in given.items():
            if isinstance(value, list):
                given[name] = tuple(value)
        given["parameters"] = {n: _without_lists(v) for n, v in data.get("parameters", {}).items()}
        return Record(**given, more=more)

    def load(self) -> Game:
        """The game whose rules it was played by."""
        return resolve(self.game, self.parameters)

    def states(self, game: Game | None = None) -> list[Any]:
        """Every state of the game from the first on, each move checked to be legal."""
        game = game or self.load()
        start = self.more.get("start")  # a position that was set up
        states = [game.initial() if start is None else position(game, str(start))]
        for number, name in enumerate(self.moves, 1):
            s = states[-1]
            rules = game.remembering(states)
            if rules.is_terminal(s):
                raise IllegalAction(f"move {number}, {name!r}: the game of {game.name} is over")
            if game.to_move(s) == CHANCE:
                states.append(drawn(game, s, self.seed, len(states) - 1) if name is None else _outcome(game, s, name))
            elif name is None:
                raise IllegalAction(
                    f"move {number} is null, which only chance is, and {game.name} has a player to move"
                )
            else:
                states.append(game.result(s, rules.action_named(s, name)))
        return states

    def _repr_html_(self) -> str:
        """For notebooks: the last position, who played, all moves, and how it ended."""
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
        except ZermeloError:  # a game whose file is elsewhere
            return listed

    def points(self, game: Game, seat: int) -> float:
        """What the finished game was worth to a seat: 1 a win, ½ a draw, 0 a loss; of several opponents the average."""
        others = [other for other in range(len(seats_of(game))) if other != seat]
        return sum(self.compared(game, seat, other) for other in others) / len(others) if others else 0.5

    def compared(self, game: Game, seat: int, other: int) -> float:
        """1, ½ or 0 as this seat did better than the other one, the same or worse; a fault is worse than anything."""
        if self.charged is not None:
            return 0.5 + 0.5 * (self.charged == other) - 0.5 * (self.charged == seat)
        mine, its = self.worth(game, seat), self.worth(game, other)
        return 0.5 if mine is None or its is None or mine == its else float(mine > its)

    def worth(self, game: Game, seat: int) -> float | None:
        """The utility to a seat; where a fault ended the game, the worst for whoever made it; None: not known."""
        player = seats_of(game)[seat][0]
        if self.utilities is not None:
            return self.utilities[player]
        low, high = game.utility_bounds(player)
        if not math.isfinite(high - low):
            return None
        return low if self.charged == seat else (low + high) / 2 if self.charged is None else high


def seats_of(game: Game) -> list[list[int]]:
    """The seats at a game, one for each side: the players that whoever sits there plays for."""
    sides = sorted({game.side(p) for p in range(game.players)})
    return [[p for p in range(game.players) if game.side(p) == side] for side in sides]


def seat_of(game: Game, player: int) -> int:
    """The seat that plays for this player."""
    return next(seat for seat, players in enumerate(seats_of(game)) if player in players)


def drawn(game: Game, s: Any, seed: int, ply: int) -> Any:
    """What chance brings at this ply: the same for whoever sits where, whatever was drawn before."""
    return game.draw(s, Random(mixed((seed, ply))))


def outcome_name(game: Game, s: Any, after: Any) -> str | None:
    """What chance brought, as it prints; None where the game cannot list what chance can bring."""
    if not game.traits.lists_outcomes:
        return None
    return next((str(outcome) for outcome, _ in game.outcomes(s) if game.result(s, outcome) == after), None)


def read_games(path: str | Path) -> Iterator[Record]:
    """The games of a file, in turn; a last line that was never finished is left out."""
    for number, data in enumerate(read_lines(Path(path)), 1):
        if data.get("zermelo") != KIND:
            continue
        try:
            record = Record.from_json(data)
        except GameError as error:
            raise GameError(f"{path}, line {number}: {error}") from None
        yield record


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file of lines; raises GameError, with the line's number, where one is none."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                data = json.loads(line)
            except ValueError as error:
                if not line.endswith(b"\n"):
                    return  # whoever wrote it was stopped
                raise GameError(f"{path}, line {number} is not JSON: {error}") from None
            if not isinstance(data, dict):
                raise GameError(f"{path}, line {number} is not a JSON object")
            yield data


def _outcome(game: Game, s: Any, name: str) -> Any:
    for outcome, _ in game.outcomes(s):
        if str(outcome) == name:
            return game.result(s, outcome)
    raise IllegalAction(f"{name!r} is nothing that chance can bring in {game.name}")


def _is_list(value: Any, kind: Any) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(item, kind) and not (isinstance(item, float) and math.isnan(item)) for item in value
    )


def _is_seat(value: Any, data: dict[str, Any]) -> bool:
    """Is it the number of one who played?"""
    return isinstance(value, int) and 0 <= value < (len(data.get("players", ())) or math.inf)


def _without_lists(value: Any) -> Any:
    return tuple(_without_lists(item) for item in value) if isinstance(value, list) else value
