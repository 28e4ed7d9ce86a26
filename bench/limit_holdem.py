"""The limit hold'em player against others, in thousandths of a big blind per hand (mbb/g), with duplicate deals.

    python bench/limit_holdem.py
    python bench/limit_holdem.py --strategy mine.npz --hands 2000 --against always:call,check mcts:simulations=500

Every deal is played twice with the seats exchanged, and the two hands are one observation. The interval is that of
`zermelo match`: 95 %, by Student's t over pairs.
"""

from __future__ import annotations

import argparse
import time

from zermelo import games, match

OPPONENTS = (
    ("random", 1000),
    ("always:call,check", 2000),
    ("always:raise,call", 3000),
    ("mcts:simulations=1000", 2400),
    ("pimc:deals=20,per_deal=200,under=mcts,nodes=4000", 1000),
    ("pimc:deals=50,per_deal=400,under=mcts,nodes=20000", 1000),
)
"""The opponents, and how many hands are played against each. None of them looks at the clock."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Matches of the limit hold'em player in mbb/g.")
    parser.add_argument("--strategy", default="", help="a file; by default the strategy that comes with the game")
    parser.add_argument("--hands", type=int, help="hands against each opponent")
    parser.add_argument("--against", nargs="*", help="other opponents")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    player = f"equilibrium:{given.strategy}" if given.strategy else "equilibrium"
    game = games.load("limit_holdem")
    opponents = OPPONENTS if given.against is None else tuple((each, 2000) for each in given.against)
    print("| opponent | hands | mbb/g | 95 % interval |\n|---|---|---|---|", flush=True)
    for opponent, hands in opponents:
        began = time.perf_counter()
        stakes = match(game, player, opponent, games=given.hands or hands, workers=0, seed=given.seed).tallies[0].stakes
        mean, low, high = (1000 * game.unit().amount(x) for x in (stakes.mean, stakes.low, stakes.high))
        took = time.perf_counter() - began
        print(
            f"| `{opponent}` | {stakes.games:,} | {mean:+.0f} | {low:+.0f} to {high:+.0f} |   {took:.0f} s", flush=True
        )


if __name__ == "__main__":
    main()
