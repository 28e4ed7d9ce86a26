"""The page's messages: a table of all messages and fields, and the check that rejects everything else.

A message is a JSON object with "do", one of the names below, and the fields of that message. Answers have "kind".
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

LONGEST = 200_000
"""The most bytes of a message."""


DEEPEST = 8
"""The deepest nesting of a saved game."""


class BadMessage(ValueError):
    """An invalid message. The error is sent back to the page."""


@dataclass(frozen=True)
class Text:
    """A string with a maximum length."""

    most: int = 200

    def problem(self, value: Any) -> str | None:
        if not isinstance(value, str):
            return "must be a string"
        if len(value) > self.most:
            return f"must have at most {self.most:,} characters"
        is_text = value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)
        return None if is_text and "\0" not in value else "must be valid text"


@dataclass(frozen=True)
class MoveName(Text):
    """The name of a move; null for a chance outcome without a name."""

    def problem(self, value: Any) -> str | None:
        return None if value is None else super().problem(value)


@dataclass(frozen=True)
class Number:
    """A whole number in a range."""

    low: int
    high: int

    def problem(self, value: Any) -> str | None:
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            return f"must be a whole number from {self.low} to {self.high}"
        return None


@dataclass(frozen=True)
class Real:
    """A number in a range."""

    low: float
    high: float

    def problem(self, value: Any) -> str | None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.low <= value <= self.high:
            return f"must be a number from {self.low:g} to {self.high:g}"
        return None


class Flag:
    """True or false."""

    def problem(self, value: Any) -> str | None:
        return None if isinstance(value, bool) else "must be true or false"


@dataclass(frozen=True)
class Many:
    """A list of one kind with a maximum length."""

    kind: Text | Real
    most: int = 2000

    def problem(self, value: Any) -> str | None:
        if not isinstance(value, list) or len(value) > self.most:
            return f"must be a list of at most {self.most:,}"
        return next((found for found in map(self.kind.problem, value) if found), None)


@dataclass(frozen=True)
class Some:
    """An object with optional fields, and no others."""

    fields: dict[str, Text | Number | Real | Flag | Many]

    def problem(self, value: Any) -> str | None:
        if not isinstance(value, dict):
            return "must be an object"
        for name, part in value.items():
            if name not in self.fields:
                return f"has no field {name[:40]!r}"
            problem = self.fields[name].problem(part)
            if problem is not None:
                return f"has a field {name} that {problem}"
        return None


@dataclass(frozen=True)
class Pair:
    """Two numbers."""

    first: Real
    second: Real

    def problem(self, value: Any) -> str | None:
        if not isinstance(value, list) or len(value) != 2:
            return "must be two numbers"
        return self.first.problem(value[0]) or self.second.problem(value[1])


class Branches:
    """Variations, each with the number of the position that it follows."""

    after, moves, most = Number(0, 100_000), Many(MoveName(60)), 1000

    def problem(self, value: Any) -> str | None:
        if not isinstance(value, list) or len(value) > self.most:
            return f"must be a list of at most {self.most:,}"
        for each in value:
            if not isinstance(each, dict) or each.keys() != {"after", "moves"} or not each["moves"]:
                return 'must be a list of {"after": number, "moves": names}'
            problem = self.after.problem(each["after"]) or self.moves.problem(each["moves"])
            if problem:
                return f"has an item that {problem}"
        return None


class Saved:
    """A saved game as JSON. `Record.from_json` checks the details."""

    def problem(self, value: Any) -> str | None:
        return None if isinstance(value, dict) and _is_shallow(value, DEEPEST) else "must be a saved game"


def _is_shallow(value: Any, depth: int) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > 0 and all(_is_shallow(each, depth - 1) for each in inside)


Field = Text | Number | Real | Flag | Many | Some | Saved | Pair | Branches

REQUEST = Number(0, 1 << 40)
"""A request number, repeated in the answer, so that the page can ignore outdated answers."""
WATCHING = Some(
    {
        "algorithm": Text(40),
        "given": Many(Text(60), 10),
        "cut": Text(2),
        "fail": Text(4),
        "order": Text(10),
        "seed": Number(0, 1 << 40),
        "depth": Number(1, 200),
        "deepening": Flag(),
        "beam": Number(1, 100),
        "simulations": Number(1, 500),
        "exploration": Real(0.01, 100),
        "proofs": Flag(),
        "budget": Number(20, 1000),
    }
)
"""How to search a tree, and how many nodes to draw."""
TREE = Text(20_000)
"""A tree: its name in the library, or its text."""

GAME: dict[str, Field] = {
    "game": Text(),
    "settings": Many(Text(), 20),
    "seats": Many(Text(), 8),
    "moves": Many(MoveName(60)),
    "start": Text(2000),
    "seed": Number(0, 2**32 - 1),
    "variations": Branches(),
    "at": Number(0, 100_000),
    "clock": Pair(Real(1, 86_400), Real(0, 3_600)),
}
"""A game, its players and its moves; `at` is the number of the position to show, `clock` seconds and increment."""

MESSAGES: dict[str, dict[str, Field]] = {
    "look": {},
    "open": GAME,
    "new": GAME,
    "move": {"name": Text(60)},
    "step": {"path": Many(Text(40), 32)},
    "roll": {"name": Text(60)},
    "dice": {"on": Flag()},
    "undo": {},
    "show": {"ply": Number(0, 100_000)},
    "flip": {"on": Flag()},
    "hint": {},
    "seats": {"seats": Many(Text(), 8)},
    "pause": {"on": Flag()},
    "analyse": {"on": Flag()},
    "review": {"on": Flag()},
    "set_up": {"text": Text(2000)},
    "edit_position": {
        "text": Text(2000),
        "square": Text(40),
        "sign": Text(40),
        "turn": Number(0, 1),
        "castling": Text(40),
        "fresh": Text(40),
    },
    "go": {"to": REQUEST},
    "promote": {"to": REQUEST},
    "delete": {"to": REQUEST},
    "restore": {},
    "comment": {"to": REQUEST, "text": Text(2000)},
    "resign": {"points": Number(0, 999)},
    "next_game": {},
    "offer_draw": {},
    "answer_draw": {"on": Flag()},
    "rematch": {},
    "save": {},
    "load": {"record": Saved(), "at": Number(0, 100_000)},
    "export": {"form": Text(40)},
    "import": {"text": Text(LONGEST), "number": Number(0, 10_000)},
    "cards": {"of": Many(Text(), 100)},
    "trees": {},
    "tree": {"request": REQUEST, "tree": TREE, "watching": WATCHING},
    "unroll": {
        "request": REQUEST,
        "game": Text(),
        "settings": Many(Text(), 20),
        "moves": Many(Text(60)),
        "start": Text(2000),
        "plies": Number(1, 8),
        "watching": WATCHING,
    },
    "position": {"request": REQUEST, "node": Number(0, 100_000)},
    "draw": {"request": REQUEST, "tree": TREE},
    "edit": {"request": REQUEST, "tree": TREE, "change": Text(20), "node": Number(0, 100_000), "text": Text()},
    "exercise": {"practice": Text(20), "seed": Number(0, 1 << 40)},
    "grade": {"practice": Text(20), "seed": Number(0, 1 << 40), "answer": Text(2000)},
    "passes": {"lesson": Text(40)},
    "pass": {"number": Number(-1, 10_000), "first": Number(0, 1 << 24), "verdict": Text(60)},
    "known": {"state": Number(0, 1 << 24)},
    "kuhn": {"bets": Many(Real(0, 1), 12)},
    "kuhn_family": {"alpha": Real(0, 0.33334)},
    "kuhn_deal": {"seat": Number(0, 1)},
    "kuhn_move": {"bet": Flag()},
    "kuhn_forget": {},
    "averaging": {"lesson": Text(40)},
    "information_sets": {"game": Text(), "settings": Many(Text(), 20), "moves": Many(Text(60))},
    "matrix": {
        "payoffs": Text(2000),
        "rows": Text(400),
        "columns": Text(400),
        "method": Text(20),
        "begin": Text(20),
        "iterations": Number(1, 10_000),
    },
    "matrix_step": {"step": Number(1, 10_000)},
    "race_look": {"game": Text(), "settings": Many(Text(), 20), "moves": Many(Text(60)), "start": Text(2000)},
    "race": {"runners": Many(Text(40), 20), "seconds": Real(0.1, 60)},
    "race_stop": {},
    "arena_look": {"game": Text(), "settings": Many(Text(), 20)},
    "arena": {
        "players": Many(Text(), 8),
        "games": Number(1, 1000),
        "side_by_side": Number(1, 4),
        "openings": Number(0, 40),
        "seed": Number(0, 1 << 32),
        "elo0": Real(-2000, 2000),
        "elo1": Real(-2000, 2000),
    },
    "arena_stop": {},
    "arena_save": {},
    "leave": {},
}
"""Every message and its fields. The page sends "look" when it shows the game, "leave" when it shows another page."""

OPTIONAL = {
    *("settings", "seats", "moves", "start", "seed", "variations", "at", "clock", "number"),
    *("square", "sign", "turn", "castling", "fresh"),
    *("side_by_side", "openings", "elo0", "elo1", "points"),
}
"""Optional fields."""


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def parse(data: str | bytes) -> dict[str, Any]:
    """The message in a text; raises BadMessage with the reason if it is invalid."""
    if len(data) > LONGEST:
        raise BadMessage(f"a message has at most {LONGEST:,} bytes")
    try:
        message = json.loads(data, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise BadMessage("a message is a JSON object") from None
    if not isinstance(message, dict):
        raise BadMessage("a message is a JSON object")
    name = message.get("do")
    if not isinstance(name, str) or name not in MESSAGES:
        raise BadMessage(f"there is no message {str(name)[:40]!r}")
    fields = MESSAGES[name]
    for given in message:
        if given not in fields and given != "do":
            raise BadMessage(f"{name} has no field {given[:40]!r}")
    for field, kind in fields.items():
        if field not in message:
            if field in OPTIONAL:
                continue
            raise BadMessage(f"{name} needs {field}")
        problem = kind.problem(message[field])
        if problem is not None:
            raise BadMessage(f"{name}: {field} {problem}")
    return message
