"""Messages with something wrong, as no page of ours would send them."""

from __future__ import annotations

import json
import random
from typing import Any

from zermelo.app.web.messages import MESSAGES, OPTIONAL, Branches, Field, Flag, Many, Number, Pair, Real, Text

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


WORDS = (
    "nim",
    "tic_tac_toe",
    "pig",
    "random",
    "person",
    "1",
    "3-1",
    "b2",
    "",
    "x",
    "m=4",
    "piles=(1, 2)",
    "4 4 3",
    "8/8 w",
    "é",
)
QUIET = ("hint", "analyse", "race", "arena")
"""Messages that make something search: others have that."""


def nonsense(chance: random.Random) -> dict[str, Any]:
    """A message with nothing wrong in its form, which need not mean anything."""
    name = chance.choice([name for name in MESSAGES if name not in QUIET])
    message: dict[str, Any] = {"do": name}
    for field, kind in MESSAGES[name].items():
        if field not in OPTIONAL or chance.random() < 0.4:
            message[field] = _filled(kind, chance)
    if "seats" in message:
        message["seats"] = [chance.choice(("random", "person")) for _ in range(chance.randrange(4))]
    if "game" in message and chance.random() < 0.9:
        message["game"] = chance.choice(("nim", "tic_tac_toe", "pig", "kuhn_poker"))
    if "record" in message:
        moves = [chance.choice((*WORDS, None)) for _ in range(chance.randrange(5))]
        about = chance.choice(({}, {"start": "8/8 w"}, {"seed": 7}, {"players": ["random", "person"]}, {"opening": -5}))
        message["record"] = {"zermelo": "game", "game": chance.choice(WORDS[:3]), "moves": moves, **about}
    return message


def _filled(kind: Field, chance: random.Random) -> Any:
    if isinstance(kind, Text):
        return chance.choice(WORDS)
    if isinstance(kind, Number):
        return chance.choice((kind.low, kind.high, chance.randint(kind.low, kind.high)))
    if isinstance(kind, Real):
        return chance.uniform(kind.low, kind.high)
    if isinstance(kind, Flag):
        return chance.random() < 0.5
    if isinstance(kind, Pair):
        return [_filled(kind.first, chance), _filled(kind.second, chance)]
    if isinstance(kind, Branches):
        return [{"after": chance.randrange(5), "moves": [chance.choice(WORDS)]} for _ in range(chance.randrange(3))]
    return [_filled(kind.kind, chance) for _ in range(chance.randrange(4))] if isinstance(kind, Many) else {}
