"""What an opening book is worth: python bench/book.py othello [--nodes 5000] [--opponents 20] [--games 10]

The engine with the game's own book plays the engine without it, both with the same nodes per move, from the start
position. Without random moves an opponent always answers alike, so there are many opponents, whose numbers of nodes
differ by one percent each. Games against one opponent are not independent: the error is computed from their means.
"""

from __future__ import annotations

import argparse
import math

from zermelo import games
from zermelo.arena.player import Choice, Turn
from zermelo.arena.roster import player_of
from zermelo.kernel.random import Random
from zermelo.play.play import Play
from zermelo.play.record import Record


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("game")
    options.add_argument("--nodes", type=int, default=5000)
    options.add_argument("--opponents", type=int, default=20)
    options.add_argument("--games", type=int, default=10, help="against each opponent")
    given = options.parse_args()
    game = games.load(given.game)
    means: list[float] = []
    for number in range(given.opponents):
        nodes = round(given.nodes * (1 + number / 100))
        players = [player_of(f"engine:nodes={nodes},table=16{book}", game) for book in (",book=own", "")]
        points = []
        for each in range(given.games):
            play, random = Play(game, seed=0), Random(1000 * number + each // 2)
            for player in players:
                player.begin(game)
            while not play.is_over:
                turn = Turn.of(play, random)
                choice = players[(turn.player + each) % 2].choose(turn)
                play.move(choice.action if isinstance(choice, Choice) else choice)
            points.append(Record.of(play, given.game).points(game, each % 2))
        means.append(sum(points) / len(points))
        mean = sum(means) / len(means)
        spread = math.sqrt(sum((each - mean) ** 2 for each in means) / max(len(means) - 1, 1) / len(means))
        print(f"{len(means) * given.games} games: {mean:.1%} ± {2 * spread:.1%}", flush=True)


if __name__ == "__main__":
    main()
