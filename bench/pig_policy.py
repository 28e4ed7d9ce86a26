"""The optimal policy of Pig: solves the game to 100 points and draws when to hold, as in Neller and Presser (2004).

python bench/pig_policy.py                  writes docs/pictures/pig_policy.svg (needs matplotlib)
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from zermelo import games
from zermelo.games.pig import HOLD
from zermelo.lookup.strong import Solution, solve_all

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "pig_policy.svg"


def policy(solution: Solution) -> np.ndarray[Any, Any]:
    """[own score, other score, turn total] 1 if the first player holds there, 0 if not, -1 if it cannot be reached."""
    target = solution.game.target  # type: ignore[attr-defined]
    holds = np.full((target, target, target), -1, np.int8)
    for s, a in solution.policy():
        if s.mover == 0:
            holds[s.scores[0], s.scores[1], s.turn] = a == HOLD
    return holds


def draw(holds: np.ndarray[Any, Any], path: Path) -> None:
    """Two pictures: the least turn total at which to hold for all scores, and all totals against 30 points."""
    from matplotlib import pyplot

    target = len(holds)
    least = np.where((holds == 1).any(axis=2), (holds == 1).argmax(axis=2), np.arange(target, 0.0, -1)[:, None])
    least[(holds < 0).all(axis=2)] = np.nan  # nobody has exactly one point
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    shown = left.imshow(least.T, origin="lower", cmap="viridis", vmax=40)
    figure.colorbar(shown, ax=left, label="hold at this turn total")
    left.set(xlabel="own score", ylabel="opponent's score", title="Least turn total at which to hold")
    other = min(30, target // 3)
    own, turn = np.meshgrid(np.arange(target), np.arange(target))
    rolls = holds[own, other, turn] == 0
    right.imshow(rolls, origin="lower", cmap="Greys", vmax=1.6, aspect="auto")
    right.axhline(20, color="tab:red", linewidth=1, label="hold at 20")
    right.set(xlabel="own score", ylabel="turn total", ylim=(0, 60))
    right.set_title(f"Roll (grey) against an opponent with {other}")
    right.legend(loc="upper right")
    figure.savefig(path)


if __name__ == "__main__":
    saved = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if saved is not None and saved.exists():
        draw(np.load(saved)["holds"], PICTURE)
    else:
        solution = solve_all(games.load("pig"), error=1e-6, on_progress=lambda text: print(text, file=sys.stderr))
        first = (1 + solution[solution.game.initial()].value) / 2
        print(f"{len(solution):,} states, error {solution.error:.1g}; the first player wins {first:.4%}")
        if saved is not None:
            np.savez_compressed(saved, holds=policy(solution))
        else:
            draw(policy(solution), PICTURE)
