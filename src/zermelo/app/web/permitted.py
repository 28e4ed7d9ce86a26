"""What a page may request: registered games, files named on the command line, and players of the library.

The page comes from this server, but anyone who makes a browser open an address chooses its content. So a message cannot
name a file, a program or a book, and cannot request more memory or time than a machine can spare.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from zermelo import games
from zermelo.app.web.messages import BadMessage
from zermelo.game.presentation import OWN
from zermelo.games.resolve import parse_value

ALGORITHMS = ("alpha_beta", "and_or", "beam", "expectiminimax", "greedy", "maxn", "minimax", "star1", "star2")
"""By name, because importing the algorithms would slow down the start of the server."""
SEARCHES = ("engine", "mtdf", "mcts", "pimc", "equilibrium", "dice", "proof_number")
PLAYERS = ("person", "random", *SEARCHES, "auto", "level", *ALGORITHMS)
LIMITS = {
    "depth": (1, 60),
    "plies": (0, 3),
    "nodes": (1, 1_000_000_000),
    "seconds": (0.001, 60),
    "table": (0, 256),
    "threads": (1, 4),
    "random": (0, 1),
    "memory": (1, 256),
    "per_deal": (1, 1_000_000),
    "simulations": (1, 1_000_000_000),
    "rollout_plies": (0, 10_000),
    "exploration": (0.01, 100),
    "seed": (0, (1 << 63) - 1),
}
"""The range of a player's options; the MiB of `table` and `memory` count for each player of each tab."""
OTHERS = (0, 1000)
"""The range of all other options, which are switches and small numbers."""
WORDS = ("work", "depth", "always", "none", "star1", "star2", "tiny", "narrow", "normal", "large", "huge")
"""The values of options that are not numbers: the engine's replacement schemes; pruning and filters of `dice`."""
LONGEST_RECORD = 5000
"""The most moves of a saved game, with its variations."""

_OPTION = re.compile(r"([a-z][a-z_]*)=([A-Za-z0-9_.+-]{1,30})")
_LEVEL = re.compile(r"[A-Za-z0-9 _-]{1,40}")
_WORD = re.compile(r"\w{1,40}")


def require_permitted(message: dict[str, Any], files: Collection[str]) -> None:
    """Raise BadMessage if a message would load a file, start a program, or exceed the limits."""
    if "game" in message:
        _require_game(message["game"], files)
    for game in message.get("of", ()):
        _require_game(game, files)
    for setting in message.get("settings", ()):
        name, equals, value = setting.partition("=")
        if not equals or not name.isidentifier() or not _is_plain(parse_value(value)):
            raise BadMessage(f"{setting[:60]!r} is not a valid setting: use name=value, such as width=5")
    for words in (*message.get("seats", ()), *message.get("players", ())):
        _require_player(words)
    moves = [message.get("moves", ()), *(each["moves"] for each in message.get("variations", ()))]
    if sum(map(len, moves)) > LONGEST_RECORD:
        raise BadMessage(f"a game may have at most {LONGEST_RECORD:,} moves here, with its variations")
    if "record" in message:
        _require_record(message["record"], files)


def _require_game(game: Any, files: Collection[str]) -> None:
    there = (*games.names(), *files)
    if game not in there:
        raise BadMessage(
            f"there is no game {str(game)[:60]!r} here; there are {', '.join(there)}; "
            "name your own files when you start the app: zermelo serve mygame.py"
        )


def _require_record(record: dict[str, Any], files: Collection[str]) -> None:
    if "game" not in record:
        raise BadMessage('the saved game has no field "game"')
    _require_game(record["game"], files)
    parameters, players, moves = (record.get(name) for name in ("parameters", "players", "moves"))
    if isinstance(parameters, dict) and not all(map(_is_plain, parameters.values())):
        raise BadMessage("the saved game has parameters that are not allowed here")
    for words in players if isinstance(players, list) else ():
        _require_player(words)
    variations = record.get("variations") or []
    if not isinstance(variations, list):
        raise BadMessage("the variations of the saved game must be a list")
    lines = [moves] + [each.get("moves") for each in variations if isinstance(each, dict)]
    if sum(len(line) for line in lines if isinstance(line, list)) > LONGEST_RECORD:
        raise BadMessage(f"a saved game may have at most {LONGEST_RECORD:,} moves here, with its variations")


def _require_player(words: Any) -> None:
    problem = _objection(words) if isinstance(words, str) else "a player must be a string"
    if problem is not None:
        raise BadMessage(f"{str(words)[:60]!r} cannot play here: {problem}")


def _objection(words: str) -> str | None:
    """Why a player is not allowed; None if it is. The words are matched literally: no spelling gets around it."""
    kind, _, options = words.partition(":")
    if kind not in PLAYERS:
        return f"there are {', '.join(PLAYERS)}"
    if kind == "level":
        return None if _LEVEL.fullmatch(options) else "this is not the name of a level"
    for option in options.split(",") if options else ():
        found = _OPTION.fullmatch(option)
        if found is None:
            return f"{option[:40]!r} is not of the form name=value"
        name, value = found[1], parse_value(found[2])
        if name == "book" and value == OWN:
            continue
        if name.startswith("book"):
            return "only the game's own book is available here, as in book=own"
        if name == "resign":
            return "players do not resign here"
        low, high = LIMITS.get(name, OTHERS)
        if not (low <= value <= high if isinstance(value, int | float) else value is None or value in WORDS):
            return f"{name} must be between {low:g} and {high:g}"
    return None


def _is_plain(value: Any, depth: int = 2) -> bool:
    """Is a parameter a number, a word, True, False, or a few of them? A path is not."""
    if isinstance(value, list | tuple):
        return depth > 0 and len(value) <= 64 and all(_is_plain(each, depth - 1) for each in value)
    if isinstance(value, str):
        return _WORD.fullmatch(value) is not None
    return value is None or (isinstance(value, int | float) and abs(value) < 1 << 63)
