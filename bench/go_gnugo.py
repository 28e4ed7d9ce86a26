"""How strong Go is: python bench/go_gnugo.py GAMES [--size 9] [--games 200] [--workers 2] [--gnugo PATH]

A match against GNU Go with colours swapped, both under Chinese rules with positional superko. Each game uses one core:
the players think in turn, zermelo with one thread. GNU Go thinks as long as its level takes. The file GAMES keeps every
finished game, so a match that was interrupted is resumed. The summary is written next to it after every game, as JSON.
`--report` prints the summaries of several files as a Markdown table for results/go.md, without playing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from about import about, markdown_table

import zermelo
from zermelo.arena.elo import score_of_elo
from zermelo.arena.standings import Standings
from zermelo.play.files import read_games
from zermelo.play.record import Record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+", help="the file of games; with --report, all of them")
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--level", type=int, default=10, help="of GNU Go")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--player", default="mcts:seconds=1,memory=512")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--gnugo", default="gnugo", help="the program, if it is not on the path")
    parser.add_argument("--report", action="store_true", help="print a table of matches that were played")
    given = parser.parse_args()
    if given.report:
        print(table([json.loads(path.with_suffix(".json").read_text()) for path in given.files]))
        return
    (path,) = given.files
    summary = Summary(path, given.size, given.level)
    command = f"{given.gnugo} --mode gtp --level {given.level} --chinese-rules --positional-superko"
    standings = zermelo.match(
        "go",
        given.player,
        f"gtp:{command}",
        games=given.games,
        parameters={"size": given.size, "rules": "chinese"},
        openings=0,
        workers=given.workers,
        file=path,
        on_game=summary.add,
    )
    summary.write(standings)
    print(f"\n{table([summary.of(standings)])}")


class Summary:
    """What a match has shown so far, rewritten after every game."""

    def __init__(self, games: Path, size: int, level: int):
        self.games, self.size, self.level = games, size, level

    def add(self, record: Record, standings: Standings) -> None:
        print(f"\r{standings.games} {standings.score}", end="", file=sys.stderr, flush=True)
        self.write(standings)

    def write(self, standings: Standings) -> None:
        self.games.with_suffix(".json").write_text(json.dumps(self.of(standings), indent=1) + "\n")

    def of(self, standings: Standings) -> dict[str, Any]:
        records = list(read_games(self.games))
        sides = Counter((record.players[0] == standings.players[0], points(record)) for record in records)
        return {
            **about(f"python bench/go_gnugo.py {self.games.name} --size {self.size}"),
            "size": self.size,
            "level": self.level,
            "player": standings.players[0],
            "score": standings.score.to_json(),
            "as_black": [sides[True, 1.0], sides[True, 0.5], sides[True, 0.0]],
            "as_white": [sides[False, 0.0], sides[False, 0.5], sides[False, 1.0]],
            "plies": round(sum(len(record.moves) for record in records) / max(len(records), 1), 1),
            "ended": dict(Counter(record.ended for record in records)),
        }


def points(record: Record) -> float:
    """The points of Black."""
    if record.utilities is None:
        return 0.0 if record.charged == 0 else 1.0
    return (record.utilities[0] + 1) / 2


def table(summaries: list[dict[str, Any]]) -> str:
    """The matches, one in each line: wins, draws and losses."""
    rows = []
    for each in summaries:
        score = each["score"]
        low, high = (score_of_elo(end) if end is not None else None for end in (score["low"], score["high"]))
        interval = f"{low or 0:.1%} to {1 if high is None else high:.1%}"
        results = f"+{score['wins']} ={score['draws']} -{score['losses']}"
        sides = ["+{} ={} -{}".format(*each[side]) for side in ("as_black", "as_white")]
        board = f"{each['size']} × {each['size']}"
        rows.append((board, each["player"], str(each["level"]), results, f"{score['score']:.1%}", interval, *sides))
    return markdown_table(
        ("board", "player", "GNU Go level", "result", "score", "95 % interval", "as Black", "as White"), rows
    )


if __name__ == "__main__":
    main()
