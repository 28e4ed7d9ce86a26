"""What kind of mistakes the levels of a game make: python bench/levels.py chess [--moves 60] [--nodes 100000]

Each level plays games against itself from openings of random moves. In positions of these games a deeper search values
all moves. Reported for each level: the mean loss per move in the game's unit (pawns, discs), the share of blunders, how
often the best move is chosen, and the mean rank of the chosen move among the legal ones; then the same for the old way
to be weak, a player that makes a share of its moves at random.
"""

from __future__ import annotations

import argparse
from typing import Any

from zermelo import Engine, games
from zermelo.arena.levels import levels
from zermelo.arena.openings import random_openings, usual_plies
from zermelo.arena.player import Choice, Turn
from zermelo.arena.roster import player_of
from zermelo.kernel.random import Random
from zermelo.play.play import Play

BLUNDER = {"pawns": 2.0, "discs": 8.0, "men": 1.0}
"""The loss that counts as a blunder, by the name of the unit."""
DECIDED = 0.8
"""Positions beyond this share of the utility range are not counted: nothing is at stake."""


def measured(name: str, words: str, wanted: int, nodes: int) -> dict[str, float]:
    """The quality of so many moves of a player."""
    game = games.load(name)
    player, judge, random = player_of(words, game), Engine(game, table=64, endgames=False), Random(1)
    unit, losses, ranks, legal = game.unit(), [], [], []
    opening = random_openings(game, usual_plies(game), 1)
    while len(losses) < wanted:
        player.begin(game)
        play = Play(game, seed=0)
        play.follow(next(opening)[0])
        while not play.is_over and len(losses) < wanted and len(play.states) < 120:
            choice: Any = player.choose(Turn.of(play, random))
            a = choice.action if isinstance(choice, Choice) else choice
            found = judge.think(play.state, nodes=nodes, lines=len(play.legal()), history=play.states[:-1])
            values = [(unit.amount(m.value), m.action) for m in found.moves if isinstance(m.value, float)]
            chosen = next((value for value, action in values if action == a), None)
            at_stake = isinstance(found.value, float) and abs(found.value) < DECIDED * game.utility_range[1]
            if chosen is not None and at_stake and len(values) > 1:
                cap = 10 * BLUNDER.get(unit.name, 1.0)
                losses.append(min(max(value for value, _ in values) - chosen, cap))
                ranks.append(1 + sum(value > chosen for value, _ in values))
                legal.append(len(values))
            play.move(a)
    size, limit = len(losses), BLUNDER.get(unit.name, 1.0)
    return {
        "loss": sum(losses) / size,
        "blunders": sum(loss >= limit for loss in losses) / size,
        "best": sum(rank == 1 for rank in ranks) / size,
        "rank": sum(ranks) / size,
        "moves": sum(legal) / size,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("game")
    options.add_argument("--moves", type=int, default=60, help="for each player")
    options.add_argument("--nodes", type=int, default=100_000, help="of the search that values all moves")
    given = options.parse_args()
    game = games.load(given.game)
    players = [(level.name, level.player) for level in levels(game)]
    players += [("random=0.4", "engine:depth=1,random=0.4"), ("random=0.2", "engine:depth=1,random=0.2")]
    print(f"| player | {game.unit().name} lost per move | blunders | best move | rank of the move | legal moves |")
    print("|---|---|---|---|---|---|")
    for name, words in players:
        row = measured(given.game, words, given.moves, given.nodes)
        shares = f"{row['blunders']:.0%} | {row['best']:.0%}"
        print(f"| {name} | {row['loss']:.2f} | {shares} | {row['rank']:.1f} | {row['moves']:.0f} |", flush=True)


if __name__ == "__main__":
    main()
