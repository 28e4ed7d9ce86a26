"""Measure how strong `zermelo uci` is at few nodes and with random moves, on the scale of Stockfish's UCI_Elo.

    python scripts/measure_strengths.py --games 40

The players of the ladder meet those next to them, and the upper half some of Stockfish's limited levels. The ratings,
with Stockfish's weakest level held at what it says, are what src/zermelo/protocols/strength.py has. Below that level
the scale goes on by Elo's formula alone. The games are kept, so the work can be stopped and is taken up again.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from zermelo import games
from zermelo.arena.pool import Workers
from zermelo.arena.ratings import Results
from zermelo.arena.schedule import Conditions
from zermelo.arena.tournament import Settings, Tournament
from zermelo.play.files import read_games

LADDER = [
    "engine:nodes=25,random=0.6",
    "engine:nodes=50,random=0.35",
    "engine:nodes=100,random=0.2",
    "engine:nodes=200,random=0.1",
    "engine:nodes=400,random=0.04",
    "engine:nodes=1000",
    "engine:nodes=4000",
    "engine:nodes=20000",
]
STOCKFISH = {elo: f"uci:stockfish?UCI_Elo={elo}&seconds=0.02&Hash=4" for elo in (1350, 1700, 2050, 2400)}
ANCHOR = 1350


def meetings() -> list[tuple[str, str]]:
    """Who meets whom: neighbours on the ladder, and each of its upper half all of Stockfish's levels."""
    near = [(LADDER[i + 1], LADDER[i]) for i in range(len(LADDER) - 1)]
    return near + [(ours, theirs) for ours in LADDER[4:] for theirs in STOCKFISH.values()]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--games", type=int, default=40, help="for each two players")
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--folder", type=Path, default=Path("strengths"), help="where the games are kept")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    game, results = games.load("chess"), Results()
    for number, players in enumerate(meetings()):
        path = given.folder / f"{number}.jsonl"
        settings = Settings("chess", players, rounds=-(-given.games // 2), conditions=Conditions(most_plies=400))
        standings = Tournament(settings).play(Workers(given.workers), path)
        print(f"{players[0]} against {players[1]}: {standings.score}", flush=True)
        for record in read_games(path):
            results.add(*record.players, record.compared(game, 0, 1), (path.name, record.pair))
    ratings = results.fit(STOCKFISH[ANCHOR])
    for player in [*LADDER, *STOCKFISH.values()]:
        rating = ratings[player]
        print(f"{ANCHOR + rating.elo:6.0f} ({ANCHOR + rating.low:.0f} to {ANCHOR + rating.high:.0f})  {player}")


if __name__ == "__main__":
    main()
