"""What a page may ask for: the registered games and the files named on the command line, and players of the library.

A page is handed out by this server, but whoever can make a browser open an address can choose what stands in it. So
nothing in a message may name a file, a program or a book, nor ask for more memory or time than a machine can spare.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from zermelo import games
from zermelo.app.web.messages import BadMessage
from zermelo.games.resolve import parse_value

ALGORITHMS = ("alpha_beta", "and_or", "beam", "expectiminimax", "greedy", "maxn", "minimax", "star1", "star2")
"""By name, because the server does without what they are made of: it is to start at once."""
PLAYERS = ("person", "random", "engine", "mtdf", "proof_number", "auto", "level", *ALGORITHMS)
LIMITS = {
    "depth": (1, 60),
    "nodes": (1, 1_000_000_000),
    "seconds": (0.001, 60),
    "table": (0, 256),
    "threads": (1, 4),
    "random": (0, 1),
}
"""What a player's options may be, at least and at most; a table's MiB count for each player of each tab."""
OTHERS = (0, 1000)
"""The same of the options that are not listed: they are switches and small numbers."""
WORDS = ("work", "depth", "always")
"""What an option may be that is no number: an engine's ways of replacement."""
LONGEST_RECORD = 5000
"""How many moves a saved game has, at most."""

_OPTION = re.compile(r"([a-z][a-z_]*)=([A-Za-z0-9_.+-]{1,30})")
_LEVEL = re.compile(r"[A-Za-z0-9 _-]{1,40}")
_WORD = re.compile(r"\w{1,40}")


def require_permitted(message: dict[str, Any], files: Collection[str]) -> None:
    """Raise BadMessage where a message would load a file, or start a program, or take more than it may."""
    if "game" in message:
        _require_game(message["game"], files)
    for setting in message.get("settings", ()):
        name, equals, value = setting.partition("=")
        if not equals or not name.isidentifier() or not _is_plain(parse_value(value)):
            raise BadMessage(f"{setting[:60]!r} is no setting that can be made here: it is name=value, such as width=5")
    for words in (*message.get("seats", ()), *message.get("players", ())):
        _require_player(words)
    if "record" in message:
        _require_record(message["record"], files)


def _require_game(game: Any, files: Collection[str]) -> None:
    there = (*games.names(), *files)
    if game not in there:
        raise BadMessage(
            f"there is no game {str(game)[:60]!r} here; there are {', '.join(there)}; "
            "a file of your own is named when the app is started: zermelo serve mygame.py"
        )


def _require_record(record: dict[str, Any], files: Collection[str]) -> None:
    if "game" not in record:
        raise BadMessage('the saved game does not say what was played: it needs "game"')
    _require_game(record["game"], files)
    parameters, players, moves = (record.get(name) for name in ("parameters", "players", "moves"))
    if isinstance(parameters, dict) and not all(map(_is_plain, parameters.values())):
        raise BadMessage("the saved game has parameters that cannot be given here")
    for words in players if isinstance(players, list) else ():
        _require_player(words)
    if isinstance(moves, list) and len(moves) > LONGEST_RECORD:
        raise BadMessage(f"a saved game has at most {LONGEST_RECORD:,} moves here")


def _require_player(words: Any) -> None:
    problem = _objection(words) if isinstance(words, str) else "a player is a word"
    if problem is not None:
        raise BadMessage(f"{str(words)[:60]!r} does not play here: {problem}")


def _objection(words: str) -> str | None:
    """What is wrong with a player; the words are taken literally, so that nothing can be spelt another way."""
    kind, _, options = words.partition(":")
    if kind not in PLAYERS:
        return f"there are {', '.join(PLAYERS)}"
    if kind == "level":
        return None if _LEVEL.fullmatch(options) else "that is no level's name"
    for option in options.split(",") if options else ():
        found = _OPTION.fullmatch(option)
        if found is None:
            return f"{option[:40]!r} is not of the form name=value"
        name, value = found[1], parse_value(found[2])
        if name.startswith("book"):
            return "books are for the command line"
        low, high = LIMITS.get(name, OTHERS)
        if not (low <= value <= high if isinstance(value, int | float) else value is None or value in WORDS):
            return f"{name} lies between {low:g} and {high:g} here"
    return None


def _is_plain(value: Any, depth: int = 2) -> bool:
    """A parameter that is a number, a word, True or False, or a few of them; a path is none of these."""
    if isinstance(value, list | tuple):
        return depth > 0 and len(value) <= 64 and all(_is_plain(each, depth - 1) for each in value)
    if isinstance(value, str):
        return _WORD.fullmatch(value) is not None
    return value is None or (isinstance(value, int | float) and abs(value) < 1 << 63)
