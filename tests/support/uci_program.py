"""A program that speaks UCI and plays by heart, in one of several ways; it keeps what it is told in a file.

uci_program.py KIND FILE
"""

from __future__ import annotations

import os
import sys
import time

GAME = ("f2f3", "e7e5", "g2g4", "d8h4")
"""The shortest game that ends with mate, for whichever side it has."""


def say(text: str) -> None:
    print(text, flush=True)


def main(kind: str, path: str) -> None:
    played = 0
    if kind == "mute":
        time.sleep(60)
    for line in sys.stdin:
        with open(path, "a") as file:
            file.write(line)
        words = line.split()
        if words == ["uci"]:
            say("Some Program by somebody")
            say("id name Some Program")
            say("option name Skill Level type spin default 20 min 0 max 20")
            say("option name Hash type spin default 16 min 1 max 1024")
            say("option name Clear Hash type button")
            say("option name Style type combo default solid var solid var wild at times")
            say("option name UCI_LimitStrength type check default false")
            say("option name UCI_Elo type spin default 1350 min 1350 max 2850")
            say("option name UCI_Chess960 type check default false")
            say("option name Log File type string default <empty>")
            say("uciok")
        elif words == ["isready"]:
            say("readyok")
        elif words[:1] == ["position"]:
            played = len(words[words.index("moves") + 1 :]) if "moves" in words else 0
        elif words[:1] == ["go"]:
            if kind == "dying":
                sys.exit(3)
            if kind == "killed":
                os.abort()
            if kind == "silent":
                time.sleep(60)
            while kind == "chatty":
                say("info depth 1 score cp 3 pv e2e4")
                time.sleep(0.01)
            say("info string score cp 9999 is what people read")
            say("info depth 1 score cp 50 lowerbound nodes 3 pv e2e4")
            say("info depth 2 multipv 1 score cp 104 nodes 20 pv e2e4 e7e5")
            say("info depth 2 multipv 2 score cp -300 nodes 20 pv a2a3")
            if kind == "mating":
                say("info depth 3 score mate -2 nodes 40 pv e2e4")
            answers = {"illegal": "e2e5", "nothing": "(none)", "odd": "\x00?!"}
            say(f"bestmove {answers.get(kind) or GAME[played % 4]} ponder a2a3")
        elif words == ["quit"]:
            return


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
