"""Measure how strong the players of a ladder are, and choose levels for people that are about equally far apart.

    python scripts/measure_levels.py connect_four --games 100
    python scripts/measure_levels.py chess --games 40 --most 25000

Every candidate meets its neighbours. The ratings, Elo points above random play, go with the chosen levels into
src/zermelo/arena/levels.json. At chess the upper half meets Stockfish at several values of UCI_Elo, with fixed nodes,
and the ratings on that scale go into src/zermelo/protocols/strengths.json: this is what UCI_Elo of `zermelo uci` uses.
The games are kept in a folder, so the work can be stopped and resumed.
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

SOURCE = Path(__file__).parent.parent / "src" / "zermelo"
LEVELS, STRENGTHS = SOURCE / "arena" / "levels.json", SOURCE / "protocols" / "strengths.json"
NAMES = ("beginner", "casual", "club", "expert", "master", "full")
FULL = "engine:nodes=300000"
LEAST = 50.0
"""Two levels are at least so many Elo points apart."""
BRIDGE = (0.75, 0.5, 0.25)
"""The shares of random moves of players between random play and the weakest of the ladder. They are measured too, since
otherwise the distance between the two is unknown: at chess the weakest one never loses to random play."""
MOST_PLIES = 300
STOCKFISH = {1350: 2_000, 1700: 10_000, 2050: 40_000}
"""UCI_Elo of Stockfish, and its nodes per move: enough for the depth at which it then chooses its move."""
MET_BY = {1350: (0.5, 0.6), 1700: (0.8, 0.8), 2050: (0.9, 1.0)}
"""The part of the ladder, from 0 to 1, whose players meet that Stockfish: those that are about as strong."""


def candidates(game: Any, most: int) -> list[str]:
    """Players of growing strength, who visit at most so many nodes a move."""
    who = strongest(game)
    if not suitable(game.traits):
        return ["random"]
    shallow = [f"{who}:depth=1,mistakes={share:g}" for share in (1, 0.8, 0.6, 0.4, 0.2)]
    if who == "engine":
        deeper = ["engine:depth=2,mistakes=0.1", "engine:depth=3,mistakes=0.05"]
        deeper += [f"engine:nodes={count}" for count in (1_000, 5_000, 25_000, 100_000, 300_000) if count <= most]
    else:
        deeper = [f"{who}:depth={depth}" for depth in (1, 2, 3, 4, 5, 6)]
    return ["random", *shallow, *deeper]


def meetings(ladder: list[str], count: int, is_chess: bool) -> list[tuple[str, str, int]]:
    """Who meets whom in how many games: neighbours on the ladder; and, in half as many, others that tie it together.

    These are players one step further, or at chess Stockfish.
    """
    steps = [*ladder[:1], *(f"{ladder[1]},random={share:g}" for share in BRIDGE), *ladder[1:]] if ladder[1:] else ladder
    near = [(higher, lower, count) for lower, higher in itertools.pairwise(steps)]
    if not is_chess:
        return near + [(ladder[i + 2], ladder[i], count // 2) for i in range(len(ladder) - 2)]
    met = [
        (ours, stockfish(elo), count // 2)
        for elo in STOCKFISH
        for number, ours in enumerate(ladder)
        if MET_BY[elo][0] <= number / (len(ladder) - 1) <= MET_BY[elo][1]
    ]
    return near + met


def stockfish(elo: int) -> str:
    return f"uci:stockfish?UCI_Elo={elo}&nodes={STOCKFISH[elo]}&Hash=4"


def measured(name: str, ladder: list[str], count: int, folder: Path, workers: int) -> Ratings:
    game = games.load(name)
    results = Results()
    for higher, lower, number in meetings(ladder, count, name == "chess"):
        path = folder / f"{name}-{higher}-{lower}.jsonl".replace("/", "-").replace(":", "-")
        settings = Settings(name, (higher, lower), rounds=-(-number // 2), conditions=Conditions(most_plies=MOST_PLIES))
        standings = Tournament(settings).play(Workers(workers), path)
        print(f"{higher} against {lower}: {standings.score}", flush=True)
        for record in read_games(path):
            for (seat, one), (other, two) in itertools.combinations(enumerate(record.players), 2):
                if one != two:
                    results.add(one, two, record.compared(game, seat, other), (path.name, record.pair))
    return results.fit("random")


def chosen(ladder: list[str], ratings: Ratings) -> list[dict[str, Any]]:
    """The last one, and below it those nearest to equal steps; of two that are as strong, the quicker one.

    If the ladder ends below full strength, full strength is a level without a rating.
    """
    is_full = ladder[-1] == FULL or not ladder[-1].startswith("engine:nodes")
    known = NAMES if is_full else NAMES[:-1]
    rising = [ladder[0]]
    for each in ladder[1:-1]:
        if ratings[rising[-1]].elo + LEAST <= ratings[each].elo <= ratings[ladder[-1]].elo - LEAST:
            rising.append(each)
    rising.append(ladder[-1])
    top = ratings[rising[-1]].elo
    wanted = [top * step / len(known) for step in range(1, len(known) + 1)]
    picked = list(dict.fromkeys(min(rising[1:], key=lambda each, at=at: abs(ratings[each].elo - at)) for at in wanted))
    names = known[: len(picked) - 1] + known[-1:]
    levels: list[dict[str, Any]] = [{"name": "random", "player": "random", "elo": 0.0, "error": 0.0}]
    for name, each in zip(names, picked, strict=True):
        rating = ratings.difference(each, "random")
        levels.append(
            {"name": name, "player": each, "elo": round(rating.elo), "error": round((rating.high - rating.low) / 2)}
        )
    return levels if is_full else [*levels, {"name": NAMES[-1], "player": FULL, "elo": None, "error": None}]


def on_stockfishs_scale(ladder: list[str], ratings: Ratings) -> list[dict[str, Any]]:
    """The rising ratings of the ladder on the scale of UCI_Elo. The mean of Stockfish's own ratings is held fixed."""
    offset = sum(elo - ratings[stockfish(elo)].elo for elo in STOCKFISH) / len(STOCKFISH)
    for elo in STOCKFISH:
        print(f"Stockfish at UCI_Elo {elo} is measured at {offset + ratings[stockfish(elo)].elo:.0f}")
    rows: list[dict[str, Any]] = []
    for player in ladder[1:]:
        elo = round(offset + ratings[player].elo, -1)
        against = ratings.difference(player, stockfish(1700))
        if not rows or elo >= rows[-1]["elo"] + LEAST:
            rows.append({"elo": int(elo), "error": round((against.high - against.low) / 2), "player": player})
        print(f"{elo:6.0f} ± {(against.high - against.low) / 2:.0f}  {player}")
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("games", nargs="+")
    options.add_argument("--games", dest="count", type=int, default=100, help="for each two neighbours on the ladder")
    options.add_argument("--most", type=int, default=300_000, help="nodes a move of the strongest; 25000 for chess")
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
        if name == "chess":
            rows = on_stockfishs_scale(ladder, ratings)
            write_whole(STRENGTHS, (json.dumps(rows, indent=2) + "\n").encode())


if __name__ == "__main__":
    main()
