"""How much stronger 2-ply is than 0-ply: python bench/backgammon_plies.py [--games 400] [--seconds 3600]

Cubeless money games between the two, with luck removed: for every roll, the difference between the equity after the
best reply at 0-ply and its mean over all 21 rolls is subtracted from the result. What is left has the same mean and far
less variance. Sides alternate.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from backgammon_players import CHOOSE, Greedy, rolled, score

from zermelo import DiceEngine
from zermelo.games.backgammon import Backgammon
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine


def luck_of(game: Any, s: Any, player: Any, dice: int) -> float:
    """The luck of a roll, for the player who rolls: the equity after the best reply, less its mean over all rolls."""
    mean, found, p = 0.0, 0.0, s.mover
    for outcome, probability in game.outcomes(s):
        moving = game.result(s, outcome)
        after = game.result(moving, player.choose(game, moving))
        value = game.utility(after, p) if game.is_terminal(after) else game.network.value(game, after, p)
        mean += probability * value
        if moving.dice == dice:
            found = value
    return found - mean


LUCK = Routine(luck_of)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--plies", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game, random = Backgammon(tables=False), Random(given.seed)
    engine, player = DiceEngine(game), Greedy(game)
    find = CHOOSE.compiled(game, player)
    plain, adjusted = [], []
    deadline = time.monotonic() + given.seconds
    while len(plain) < given.games and time.monotonic() < deadline:
        me = len(plain) & 1
        s, luck = rolled(game, game.initial(), random), 0.0
        while True:
            best = engine.rank(s, plies=given.plies)[0].action if s.mover == me else find(s)
            s = game.result(s, int(best))
            if game.is_terminal(s):
                break
            before, s = s, rolled(game, s, random)
            gained = float(LUCK.compiled(game, player, int(s.dice))(before))
            luck += gained if s.mover == me else -gained
        plain.append(game.utility(s, me))
        adjusted.append(plain[-1] - luck)
        if len(plain) % 20 == 0:
            print(
                f"{given.plies}-ply against 0-ply, without luck: {score(adjusted)}; with luck: {score(plain)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
