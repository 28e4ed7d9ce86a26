"""Cube verdicts beside GNU Backgammon's, and match equities beside published tables.

    python bench/backgammon_cube.py POSITIONS.json

makes 1,000 positions by random play, lets `gnubg` (0 plies) judge their chances and the cube in money games and at
several scores, and gives the same chances to the formulas of `zermelo.games.backgammon.cube`. Needs GNU Backgammon.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.protocol import CHANCE
from zermelo.games.backgammon import Backgammon, cube
from zermelo.games.backgammon.checkers import count_at
from zermelo.games.backgammon.match_equity import match_equities
from zermelo.games.backgammon.state import CENTRE, CUBE, ROLLING, BackgammonState

MET = Path("/usr/share/gnubg/met")
CASES: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "money": ({}, {}, "(1, -1, 1, 0, (0, 0), 0, 0)"),
    "jacoby": ({"jacoby": True}, {}, "(1, -1, 1, 0, (0, 0), 0, 0)"),
    "owned": ({}, {"cube": 1, "owner": 0}, "(2, 1, 1, 0, (0, 0), 0, 0)"),
    "0-0 of 7": ({"points": 7}, {}, "(1, -1, 1, 7, (0, 0), 0, 0)"),
    "4-2 of 7": ({"points": 7}, {"score": (4, 2)}, "(1, -1, 1, 7, (2, 4), 0, 0)"),
    "2-4 of 7": ({"points": 7}, {"score": (2, 4)}, "(1, -1, 1, 7, (4, 2), 0, 0)"),
    "5-5 of 7": ({"points": 7}, {"score": (5, 5)}, "(1, -1, 1, 7, (5, 5), 0, 0)"),
    "3-5 of 7, owned": ({"points": 7}, {"score": (3, 5), "cube": 1, "owner": 0}, "(2, 1, 1, 7, (5, 3), 0, 0)"),
}
"""Parameters of the game, fields of the state, and GNU Backgammon's cubeinfo; player 0 rolls."""

SCRIPT = """
import gnubg, json
positions = json.load(open({file!r}))
gnubg.command("new match 7")
context = dict(cubeful=0, plies=0, deterministic=1, noise=0.0)
rows = []
for board, _ in positions:
    board = tuple(map(tuple, board))
    money = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0)
    row = dict(chances=gnubg.evaluate(board, dict(money, jacoby=0), context)[:5])
    for name, about in {cases!r}.items():
        info = dict(gnubg.cubeinfo(*eval(about)), jacoby=int(name == "jacoby"))
        row[name] = gnubg.cfevaluate(board, info, dict(context, cubeful=1))[1:4]
    rows.append(row)
json.dump(rows, open({file!r} + ".judged", "w"))
"""


def positions(number: int) -> list[Any]:
    """Random positions before a roll of player 0: a board for GNU Backgammon, and both sides' counts."""
    game, generator, found = Backgammon(), random.Random(5), []
    while len(found) < number:
        s, stop = game.initial(), generator.randrange(6, 60)
        while not game.is_terminal(s):
            if s.phase == ROLLING and s.mover == 0 and (stop := stop - 1) < 0:
                board = [[count_at(s.low[p], s.high[p], k) for k in range(1, 26)] for p in (1, 0)]
                found.append((board, [list(map(int, s.low)), list(map(int, s.high))]))
                break
            if game.to_move(s) == CHANCE:
                rolls = list(game.outcomes(s))
                s = game.result(s, generator.choices([a for a, _ in rolls], [chance for _, chance in rolls])[0])
            else:
                s = game.result(s, generator.choice(list(game.actions(s))))
    return found


def verdict(no_double: float, take: float, drop: float) -> tuple[bool, bool]:
    return min(take, drop) >= no_double - 1e-9, take <= drop


def compare(file: Path) -> None:
    """Print how often the verdicts agree, and the average difference of the equities."""
    rows = json.loads(Path(f"{file}.judged").read_text())
    for name, (parameters, fields, _) in CASES.items():
        game = Backgammon(cube=True, tables=False, **parameters)
        agree, differences = 0, []
        for (_, (low, high)), row in zip(json.loads(file.read_text()), rows, strict=True):
            s = BackgammonState(tuple(low), tuple(high), 0, 0, CUBE, 0, CENTRE, (0, 0), 0)._replace(**fields)
            out = row["chances"]
            mine = [cube.no_double(game, s, out), cube.double_take(game, s, out), cube.double_drop(game, s)]
            middle, stake = 0.0, game.stake(s)
            if game.points:
                middle = cube.double_drop(game, s) - stake
            mine = [(each - middle) / stake for each in mine]
            agree += verdict(*mine) == verdict(*row[name])
            differences.append(np.abs(np.array(mine) - row[name]))
        mean = np.mean(differences, axis=0)
        print(f"{name:<16} verdicts agree {agree / len(rows):.1%}; no double ± {mean[0]:.4f}, take ± {mean[1]:.4f}")


def equities() -> None:
    """Print the differences to published match equity tables."""
    for name in ("Kazaross-XG2", "Rockwell-Kazaross", "woolsey"):
        text = (MET / f"{name}.xml").read_text()
        text = text[text.index("<pre-crawford-table") : text.index("</pre-crawford-table")]
        rows = [re.findall(r"<me>\s*([\d.]+)\s*</me>", row) for row in re.findall(r"<row>(.*?)</row>", text, re.S)]
        known = np.array(rows, float)
        difference = match_equities(len(known))[0, 1:, 1:] - known
        print(
            f"{name:<18} {len(known)} points: root mean square {100 * np.sqrt((difference**2).mean()):.2f} %, "
            f"greatest {100 * np.abs(difference).max():.2f} %"
        )


def run(file: Path) -> None:
    equities()
    file.write_text(json.dumps(positions(1000)))
    script = file.with_suffix(".py")
    script.write_text(SCRIPT.format(file=str(file), cases={name: case[2] for name, case in CASES.items()}))
    subprocess.run(["gnubg", "-t", "-q", "-p", str(script)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    compare(file)


if __name__ == "__main__":
    run(Path(sys.argv[1]).absolute())
