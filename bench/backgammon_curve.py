"""The learning curve of backgammon's network: python bench/backgammon_curve.py

Draws results/backgammon_learning.json, which the training run recorded, into docs/pictures/backgammon_learning.svg.
"""

from __future__ import annotations

import json

import matplotlib

matplotlib.use("Agg")

from about import RESULTS
from growth_pictures import BLUE, DOCS, GREY, ORANGE, RED, STYLE
from matplotlib import pyplot as plt


def main() -> None:
    rows = json.loads((RESULTS / "backgammon_learning.json").read_text())
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
        for stage, colour, label in (("td", BLUE, "TD(0), self-play"), ("look-ahead", ORANGE, "look-ahead targets")):
            found = [row for row in rows if row["stage"] == stage]
            minutes = [row["seconds"] / 60 for row in found]
            means, errors = zip(*(row["pubeval"] for row in found), strict=True)
            left.errorbar(minutes, means, errors, color=colour, marker="o", markersize=3, label=label)
        left.axhline(0.62, color=GREY, linestyle="--")
        left.text(0.2, 0.627, "gnubg 0-ply", color=GREY)
        left.set(xlabel="minutes of training", ylabel="points per game against pubeval", ylim=(0.35, 0.68))
        left.legend(loc="lower right")
        found = [row for row in rows if row.get("previous")]
        means, errors = zip(*(row["previous"] for row in found), strict=True)
        right.errorbar(range(1, len(found) + 1), means, errors, color=RED, marker="o", markersize=3)
        right.axhline(0, color=GREY, linewidth=0.8)
        right.set(xlabel="generation of look-ahead targets", ylabel="points per game against the last one")
        figure.tight_layout()
        figure.savefig(DOCS / "pictures" / "backgammon_learning.svg")


if __name__ == "__main__":
    main()
