"""The text of UCI commands. As the protocol demands, unknown words are ignored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MOST = 1 << 40
"""The largest number that is read; larger ones are reduced to it."""


@dataclass(frozen=True)
class Go:
    """The arguments of `go`: limits and modes; times in milliseconds."""

    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    movetime: int | None = None
    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: tuple[str, ...] = ()

    @staticmethod
    def read(words: list[str]) -> Go:
        found: dict[str, int | bool] = {}
        moves: list[str] = []
        last = ""
        for word in words:
            if word in FLAGS:
                found[word] = True
            elif word in NUMBERS or word == "searchmoves":
                last = word
            elif last == "searchmoves":
                moves.append(word)
            elif last in NUMBERS and last not in found:
                number = whole(word)
                if number is not None:
                    found[last] = number
        return Go(**found, searchmoves=tuple(moves))  # type: ignore[arg-type]


FLAGS = ("infinite", "ponder")
NUMBERS = ("depth", "nodes", "mate", "movetime", "wtime", "btime", "winc", "binc", "movestogo")


def whole(word: str) -> int | None:
    """The word as a whole number; None if it is not one."""
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return None
    number = MOST if len(digits) > 12 else min(int(digits), MOST)
    return -number if word.startswith("-") else number


def position(words: list[str]) -> tuple[str | None, list[str]] | None:
    """The FEN of `position` (None: the start position) and its moves; None if there is no position."""
    if not words or words[0] not in ("startpos", "fen"):
        return None
    at = words.index("moves") if "moves" in words else len(words)
    return (None if words[0] == "startpos" else " ".join(words[1:at])), words[at + 1 :]


def setting(words: list[str]) -> tuple[str, str] | None:
    """The name and the value of `setoption`; None if there is no option."""
    if "name" not in words:
        return None
    rest = words[words.index("name") + 1 :]
    at = rest.index("value") if "value" in rest else len(rest)
    return " ".join(rest[:at]), " ".join(rest[at + 1 :])


def command_of(line: str, known: Iterable[str]) -> tuple[str, list[str]]:
    """The first word that is a command (otherwise ""), and the words after it. Words before it are ignored."""
    words = line.split()
    for i, word in enumerate(words):
        if word in known:
            return word, words[i + 1 :]
    return "", []
