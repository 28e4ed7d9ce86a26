"""How strong backgammon is at 0-ply: python bench/backgammon_strength.py [--games 40000] [--pubeval FOLDER] [--gnubg]

Cubeless money games of the shipped network (or --network FILE) against pubeval, whose weights are in FOLDER, and with
--gnubg against gnubg-nn at 0-ply. Two games share their dice, with sides exchanged. Bear-off tables are not used unless
--tables is given. Prints points per game with standard errors; results/backgammon.md has a copy.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from backgammon_players import GnubgNN, Greedy, Pubeval, match, match_gnubg, score

from zermelo.games.backgammon import Backgammon
from zermelo.networks import with_network


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=40_000)
    parser.add_argument("--network", type=Path, help="another network than the shipped one")
    parser.add_argument("--against", type=Path, help="a network to play against")
    parser.add_argument("--pubeval", type=Path, help="the folder with pubeval's weights")
    parser.add_argument("--gnubg", action="store_true", help="play against gnubg-nn")
    parser.add_argument("--tables", action="store_true", help="use bear-off tables, if they are built")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = Backgammon(tables=given.tables)
    if given.network:
        game = with_network(game, given.network)
    player = Greedy(game)
    if given.against:
        rival = with_network(game, given.against)
        show("network", match(game, rival, player, Greedy(rival), given.games, given.seed), time.perf_counter())
    if given.pubeval:
        pubeval = Pubeval(given.pubeval)
        began = time.perf_counter()
        show("pubeval", match(game, game, player, pubeval, given.games, given.seed), began)
        if given.gnubg:
            opponent = GnubgNN()
            began = time.perf_counter()
            show("gnubg-nn's opponent pubeval", -match_gnubg(game, pubeval, opponent, given.games, given.seed), began)
    if given.gnubg:
        began = time.perf_counter()
        show("gnubg-nn", match_gnubg(game, player, GnubgNN(), given.games, given.seed), began)


def show(name: str, points: object, began: float) -> None:
    print(f"against {name}: {score(points)}, {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
