"""What the page may say: every message and every field in one table, and the check that nothing else gets through.

A message is a JSON object with "do", which is one of the names below, and its fields. Answers have "kind".
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

LONGEST = 200_000
"""Bytes of a message, at most."""


class BadMessage(ValueError):
    """A message that is none; what is wrong with it goes back to the page."""


@dataclass(frozen=True)
class Text:
    """A string of at most so many characters."""

    most: int = 200

    def problem(self, value: Any) -> str | None:
        if not isinstance(value, str):
            return "must be a string"
        return None if len(value) <= self.most else f"must have at most {self.most:,} characters"


@dataclass(frozen=True)
class MoveName(Text):
    """The name of a move; null for what chance brought and cannot be named."""

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


class Flag:
    """True or false."""

    def problem(self, value: Any) -> str | None:
        return None if isinstance(value, bool) else "must be true or false"


@dataclass(frozen=True)
class Many:
    """A list of at most so many of a kind."""

    kind: Text
    most: int = 2000

    def problem(self, value: Any) -> str | None:
        if not isinstance(value, list) or len(value) > self.most:
            return f"must be a list of at most {self.most:,}"
        return next((found for found in map(self.kind.problem, value) if found), None)


class Saved:
    """A saved game, as JSON: its own reader checks the rest."""

    def problem(self, value: Any) -> str | None:
        return None if isinstance(value, dict) else "must be a saved game"


Field = Text | Number | Flag | Many | Saved

MESSAGES: dict[str, dict[str, Field]] = {
    "look": {},
    "new": {
        "game": Text(),
        "settings": Many(Text(), 20),
        "seats": Many(Text(), 8),
        "moves": Many(MoveName(60)),
        "start": Text(2000),
        "seed": Number(0, 2**32 - 1),
    },
    "move": {"name": Text(60)},
    "undo": {},
    "show": {"ply": Number(0, 100_000)},
    "flip": {"on": Flag()},
    "hint": {},
    "seats": {"seats": Many(Text(), 8)},
    "pause": {"on": Flag()},
    "analyse": {"on": Flag()},
    "review": {"on": Flag()},
    "set_up": {"text": Text(2000)},
    "save": {},
    "load": {"record": Saved()},
    "leave": {},
}
"""Every message, and its fields; "look" says that the page looks at the game, "leave" that at something else."""

OPTIONAL = {"settings", "seats", "moves", "start", "seed"}


def parse(data: str | bytes) -> dict[str, Any]:
    """The message that a text is; raises BadMessage, with the reason, where it is none."""
    if len(data) > LONGEST:
        raise BadMessage(f"a message has at most {LONGEST:,} bytes")
    try:
        message = json.loads(data)
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
