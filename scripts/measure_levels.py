"""Measure how strong the players of a ladder are, and choose levels for people that are about equally far apart.

    python scripts/measure_levels.py connect_four --games 100

Every candidate meets the two above it. Their ratings, Elo points above random play, go with the chosen levels into
src/zermelo/arena/levels.json. The games are kept, so the work can be stopped at any time and is taken up where it was.
"""

from __future__ import annotations

import argparse
import itertools
import json
from pathlib import Path
from typing import Any

from zermelo import games
from zermelo.arena.levels import strongest
from zermelo.arena.pool import Workers
from zermelo.arena.ratings import Ratings, Results
from zermelo.arena.schedule import Conditions
from zermelo.arena.tournament import Settings, Tournament
from zermelo.kernel.files import write_whole
from zermelo.play.files import read_games
from zermelo.search.registry import suitable

LEVELS = Path(__file__).parent.parent / "src" / "zermelo" / "arena" / "levels.json"
NAMES = ("beginner", "casual", "club", "expert", "master", "full")
LEAST = 50.0
"""Two levels are at least so many Elo points apart."""


def candidates(game: Any, most: int) -> list[str]:
    """Players of growing strength, who visit at most so many nodes a move."""
    who = strongest(game)
    if not suitable(game.traits):
        return ["random"]
    shallow = [f"{who}:depth=1,random={share}" for share in (0.8, 0.6, 0.4, 0.2, 0.1)]
    depths = [f"{who}:depth={depth}" for depth in ((1, 2, 3, 4) if who == "engine" else (1, 2, 3, 4, 5, 6))]
    counts = [count for count in (1_000, 10_000, 50_000, 300_000) if count <= most and who == "engine"]
    nodes = [f"engine:nodes={count}" for count in counts]
    return ["random", *shallow, *depths, *nodes]


def measured(name: str, ladder: list[str], count: int, folder: Path, workers: int) -> Ratings:
    game = games.load(name)
    results = Results()
    for number, lower in enumerate(ladder):
        for higher in ladder[number + 1 : number + 3]:
            path = folder / f"{name}-{ladder.index(lower)}-{ladder.index(higher)}.jsonl"
            settings = Settings(name, (higher, lower), rounds=-(-count // 2), conditions=Conditions(most_plies=1000))
            standings = Tournament(settings).play(Workers(workers), path)
            print(f"{higher} against {lower}: {standings.score}", flush=True)
            for record in read_games(path):
                for (seat, one), (other, two) in itertools.combinations(enumerate(record.players), 2):
                    if one != two:
                        results.add(one, two, record.compared(game, seat, other), (path.name, record.pair))
    return results.fit("random")


def chosen(ladder: list[str], ratings: Ratings) -> list[dict[str, Any]]:
    """The last one, and below it those nearest to equal steps; of two that are as strong, the quicker one."""
    rising = [ladder[0]]
    for each in ladder[1:-1]:
        if ratings[rising[-1]].elo + LEAST <= ratings[each].elo <= ratings[ladder[-1]].elo - LEAST:
            rising.append(each)
    rising.append(ladder[-1])
    top = ratings[rising[-1]].elo
    wanted = [top * step / len(NAMES) for step in range(1, len(NAMES) + 1)]
    picked = list(dict.fromkeys(min(rising[1:], key=lambda each, at=at: abs(ratings[each].elo - at)) for at in wanted))
    names = NAMES[: len(picked) - 1] + NAMES[-1:]
    levels = [{"name": "random", "player": "random", "elo": 0.0, "error": 0.0}]
    for name, each in zip(names, picked, strict=True):
        rating = ratings.difference(each, "random")
        levels.append(
            {"name": name, "player": each, "elo": round(rating.elo), "error": round((rating.high - rating.low) / 2)}
        )
    return levels


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("games", nargs="+")
    options.add_argument("--games", dest="count", type=int, default=100, help="for each two players")
    options.add_argument("--most", type=int, default=300_000, help="nodes a move of the strongest; 50000 for chess")
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--folder", type=Path, default=Path("levels"), help="where the games are kept")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.games:
        game = games.load(name)
        ladder = candidates(game, given.most)
        ratings = measured(name, ladder, given.count, given.folder, given.workers)
        print(ratings, flush=True)
        known = json.loads(LEVELS.read_text()) if LEVELS.exists() else {}
        known[game.name] = chosen(ladder, ratings)
        write_whole(LEVELS, (json.dumps(known, indent=2) + "\n").encode())


if __name__ == "__main__":
    main()
