"""Messages with something wrong, as no page of ours would send them."""

from __future__ import annotations

import json
import random
from typing import Any

from zermelo.app.web.messages import MESSAGES

ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1 << 70,
    -(1 << 70),
    1e308,
    0.5,
    "",
    "\0",
    "\ud800",
    "💥" * 50,
    "../../etc/passwd",
    "x" * 300,
    "x" * 300_000,
    [],
    {},
    [[]],
    [None],
    ["a"] * 3000,
    {"game": "mine.py"},
    {"zermelo": "game", "game": "chess", "moves": [1]},
)


def nested(depth: int) -> Any:
    made: Any = 0
    for _ in range(depth):
        made = [made]
    return made


def malformed(chance: random.Random) -> str | bytes:
    """A message with something wrong: a field, a type, a number, a nesting, or the text itself."""
    name = chance.choice([*MESSAGES, "", "eval", "__class__", "leave"])
    message: dict[Any, Any] = {"do": name}
    for field in MESSAGES.get(name, {}):
        message[field] = chance.choice(ODD) if chance.random() < 0.8 else "chess"
    kind = chance.randrange(8)
    if kind == 0:
        message[chance.choice(["do", "more", "game", "__init__", "\ud800"])] = chance.choice(ODD)
    elif kind == 1:
        message = chance.choice(ODD)
    elif kind == 2:
        message["record"] = nested(chance.choice([10, 500, 900, 2000]))
    try:
        text = json.dumps(message)
    except RecursionError:
        text = "[" * 50_000
    if kind == 3:
        text = text[: chance.randrange(len(text) + 1)]
    elif kind == 4:
        at = chance.randrange(len(text) + 1)
        text = (
            text[:at] + chance.choice(["NaN", "Infinity", "\0", "\\ud800", "{", '"', "9" * 5000, "1e999"]) + text[at:]
        )
    elif kind == 5:
        return bytes(chance.randrange(256) for _ in range(chance.randrange(200)))
    return text
