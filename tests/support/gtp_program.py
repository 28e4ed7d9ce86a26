"""A program that speaks GTP and plays the first empty points of a 5 × 5 board, in one of several ways.

gtp_program.py KIND FILE      it keeps what it is told in a file
"""

from __future__ import annotations

import os
import sys
import time

COMMANDS = "boardsize clear_board genmove komi list_commands play time_left time_settings undo"


def say(text: str, sign: str = "=") -> None:
    print(f"{sign} {text}\n", flush=True)


def genmove(kind: str, taken: set[str]) -> str:
    """The answer to `genmove`."""
    if kind == "dying":
        sys.exit(3)
    if kind == "killed":
        os.abort()
    if kind == "silent":
        time.sleep(60)
    answers = {
        "illegal": "Z99",
        "resigning": "resign",
        "passing": "PASS",
        "noisy": "pass",
        "cleaning": "pass",
        "odd": "\x01 e2-e4",
    }
    free = (f"{column}{row}" for row in range(1, 6) for column in "ABCDE")
    return answers.get(kind) or next(point for point in free if point not in taken)


def main(kind: str, path: str) -> None:
    taken: set[str] = set()
    if kind == "mute":
        time.sleep(60)
    if kind == "noisy":
        print("Some Program, by somebody\n\nwelcome", flush=True)
    for line in sys.stdin:
        with open(path, "a") as file:
            file.write(line)
        words = line.split()
        if words == ["list_commands"]:
            say("\n".join([*COMMANDS.split(), *(["kgs-genmove_cleanup"] if kind == "cleaning" else [])]))
        elif words[0] == "clear_board":
            taken.clear()
            say("")
        elif words[0] == "play" and kind == "strict":
            say("illegal move", "?")
        elif words[0] in ("genmove", "kgs-genmove_cleanup"):
            move = "B2" if words[0] != "genmove" and "B2" not in taken else genmove(kind, taken)
            taken.add(move)
            say(move)
        elif words[0] == "time_left":
            say("unknown command", "?")
        else:
            taken.add(words[-1])
            say("")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
