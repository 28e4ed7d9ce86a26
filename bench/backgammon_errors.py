"""Error rate at 0-ply, judged by gnubg-nn at 2-ply: python bench/backgammon_errors.py [--positions 1000]

Positions come from zermelo's own games; rolls with one legal move are left out. If gnubg's choice at 2-ply differs from
a player's choice at 0-ply, gnubg judges both results at 2-ply, and the difference is the player's error. gnubg-nn at
0-ply is measured on the same positions.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from backgammon_players import CHOOSE, GnubgNN, Greedy, rolled

from zermelo.games.backgammon import Backgammon, BackgammonState
from zermelo.games.backgammon.checkers import CHECKERS, count_at
from zermelo.kernel.random import Random


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game, random = Backgammon(tables=False), Random(given.seed)
    find = CHOOSE.compiled(game, Greedy(game))
    judge, simple = GnubgNN(2), GnubgNN(0)
    errors: dict[str, list[float]] = {"zermelo 0-ply": [], "gnubg-nn 0-ply": []}
    s = game.initial()
    while len(errors["zermelo 0-ply"]) < given.positions:
        s = rolled(game, game.initial() if game.is_terminal(s) else s, random)
        after = game.result(s, int(find(s)))
        if len(list(game.actions(s))) > 1 and random.uniform() < 0.25:
            best = judge.play(s)
            errors["zermelo 0-ply"].append(loss(judge, s, after, best))
            errors["gnubg-nn 0-ply"].append(loss(judge, s, simple.play(s), best))
            if len(errors["zermelo 0-ply"]) % 100 == 0:
                show(errors)
        s = after


def show(errors: dict[str, list[float]]) -> None:
    for name, found in errors.items():
        lost = np.array(found)
        print(
            f"{name}: {1000 * lost.mean():.2f} ± {1000 * lost.std() / len(lost) ** 0.5:.2f} millipoints per decision, "
            f"{100 * np.mean(lost > 0):.1f} % errors, {100 * np.mean(lost > 0.08):.1f} % blunders ({len(lost)} moves)",
            flush=True,
        )


def loss(judge: GnubgNN, s: BackgammonState, after: BackgammonState, best: BackgammonState) -> float:
    """The equity lost by a result, compared with gnubg's; 0 if they are the same."""
    if after.low == best.low and after.high == best.high:
        return 0.0
    return max(equity(judge, best, s.mover) - equity(judge, after, s.mover), 0.0)


def equity(judge: GnubgNN, s: Any, p: int) -> float:
    """The cubeless equity of player p, who has just moved."""
    if count_at(s.low[p], s.high[p], 0) == CHECKERS:
        return float(Backgammon(tables=False).worth(s, p))
    win, gammon, backgammon, lose_gammon, lose_backgammon = judge.engine.probabilities(judge.board(s, 1 - p), 2)
    return -(2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon)


if __name__ == "__main__":
    main()
