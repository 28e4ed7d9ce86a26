"""What a search with dice costs at backgammon: by plies, with Star1, Star2 and filters, and next to GNU Backgammon.

    python bench/dice_search.py [--positions N] [--deep N] [--quick]

All programs get the same positions, one after the other, and are measured by processor time, so that other load slows
all of them. gnubg-nn (PyPI) and gnubg (Debian) are left out if they are not installed. Writes results/dice_search.md.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from about import RESULTS, about, markdown_table

from zermelo import CHANCE, DiceEngine, Random, analyse, games, rollout
from zermelo.games.backgammon.checkers import BAR, count_at

GAME = games.load("backgammon")


def positions(count: int, seed: int = 1) -> list[Any]:
    """Positions with a choice from games of the network against itself, every third one."""
    engine, random, found, seen = DiceEngine(GAME), Random(seed), [], 0
    while len(found) < count:
        s = GAME.initial()
        while not GAME.is_terminal(s) and len(found) < count:
            if GAME.to_move(s) == CHANCE:
                s = GAME.draw(s, random)
                continue
            ranked = engine.rank(s, 0)
            seen += len(ranked) > 1
            if len(ranked) > 1 and seen % 3 == 0:
                found.append(s)
            s = GAME.result(s, ranked[0].action)
    return found


def timed(job: Callable[[], Any]) -> tuple[Any, float]:
    began = time.process_time()
    result = job()
    return result, time.process_time() - began


def in_words(plies: int) -> str:
    return f"{plies} ply" if plies == 1 else f"{plies} plies"


# What each technique saves.


def exact_costs(chosen: list[Any], plies: int) -> list[tuple[str, ...]]:
    """Leaves and time of the exact search, without a table: expectiminimax, Star1 and Star2."""
    rows, base = [], 0
    for pruning in ("none", "star1", "star2"):
        engine = DiceEngine(GAME, filters="none", inner=0, pruning=pruning, table=0)
        engine.rank(chosen[0], 0)
        leaves, spent = 0, 0.0
        for s in chosen:
            spent += timed(lambda engine=engine, s=s: engine.rank(s, plies))[1]
            leaves += engine.evaluations
        base = base or leaves
        name = {"none": "expectiminimax", "star1": "Star1", "star2": "Star2"}[pruning]
        rows.append((f"{name}, {in_words(plies)}", *shares(leaves, spent, len(chosen)), f"{1 - leaves / base:.0%}"))
    return rows


def textbook_costs(chosen: list[Any]) -> list[tuple[str, ...]]:
    """The same by the textbook's algorithms, which judge one leaf at a time, in the order of the rules."""
    rows, base = [], 0
    for name in ("expectiminimax", "star1", "star2"):
        analyse(GAME, chosen[0], algorithm=name, depth=1)
        nodes, spent = 0, 0.0
        for s in chosen:
            found, seconds = timed(lambda name=name, s=s: analyse(GAME, s, algorithm=name, depth=3))
            nodes, spent = nodes + found.nodes, spent + seconds
        base = base or nodes
        rows.append((f"textbook {name}, depth 3", *shares(nodes, spent, len(chosen)), f"{1 - nodes / base:.0%}"))
    return rows


def filtered_costs(chosen: list[Any], plies: int, **options: Any) -> tuple[str, ...]:
    """Leaves and time of the search with move filters."""
    engine = DiceEngine(GAME, **options)
    engine.rank(chosen[0], 0)
    leaves, spent = 0, 0.0
    for s in chosen:
        spent += timed(lambda s=s: engine.rank(s, plies))[1]
        leaves += engine.evaluations
    words = ", ".join(f"{name} {value}" for name, value in options.items())
    return (f"filters, {in_words(plies)}{', ' * bool(words)}{words}", *shares(leaves, spent, len(chosen)), "")


def shares(leaves: int, seconds: float, count: int) -> tuple[str, str, str]:
    return f"{leaves / count:,.0f}", f"{1000 * seconds / count:,.2f}", f"{leaves / seconds / 1e6:.2f}"


# Rollouts.


def rollout_costs(trials: int) -> list[tuple[str, ...]]:
    """Time and error of rollouts from the opening, with and without the luck of the dice."""
    s = GAME.from_text("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    rows = []
    for truncate in (None, 8):
        for reduce in (False, True):
            options = {"moves": ["8/5 6/5"], "truncate": truncate, "reduce": reduce}
            rollout(GAME, s, trials=1, **options)
            found, spent = timed(lambda options=options: rollout(GAME, s, trials=trials, **options).best)
            one = found.error * trials**0.5
            length = "to the end" if truncate is None else f"{truncate} moves"
            luck = "luck subtracted" if reduce else "plain"
            rows.append((f"{length}, {luck}", f"{1000 * spent / trials:.2f}", f"{one:.3f}", f"{one / 36:.4f}"))
    return rows


# Next to GNU Backgammon.


def board_of(s: Any) -> list[list[int]]:
    """Both sides' points 1 to 24 and the bar; the player to move comes second."""
    order = (1 - s.mover, s.mover)
    return [[count_at(s.low[p], s.high[p], place) for place in (*range(1, 25), BAR)] for p in order]


def beside_gnubg_nn(chosen: list[Any], plies: int) -> list[tuple[str, ...]]:
    """A move at these plies by zermelo and by gnubg-nn, in turns."""
    try:
        import gnubg_nn
    except ImportError:
        return []
    engine = DiceEngine(GAME)
    engine.rank(chosen[0], 0)
    gnubg_nn.best_move(board_of(chosen[0]), 6, 5, n=0)
    spent, others, most, most_others = 0.0, 0.0, 0.0, 0.0
    for s in chosen:
        seconds = timed(lambda s=s: engine.rank(s, plies, settle=True))[1]
        other = timed(lambda s=s: gnubg_nn.best_move(board_of(s), s.dice >> 3, s.dice & 7, n=plies))[1]
        spent, others = spent + seconds, others + other
        most, most_others = max(most, seconds), max(most_others, other)
    return [
        (f"zermelo, {in_words(plies)}", f"{1000 * spent / len(chosen):,.1f}", f"{1000 * most:,.0f}", "1"),
        (f"gnubg-nn, {in_words(plies)}", f"{1000 * others / len(chosen):,.1f}", f"{1000 * most_others:,.0f}",
         f"{others / spent:.1f}"),
    ]  # fmt: skip


def by_gnubg(chosen: list[Any], plies: int) -> list[tuple[str, ...]]:
    """The same by the program `gnubg`: the processor time of all its hints, less that of a run without hints."""
    program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if program is None:
        return []
    start = ["set automatic roll off", "set automatic game off", "set output rawboard off", "new game"]
    start += [
        f"set evaluation chequerplay evaluation plies {plies}",
        "set evaluation chequerplay evaluation cubeful off",
    ]
    spent = []
    for hints in (False, True):
        lines = [line for s in chosen for line in (f"set xgid {GAME.to_text(s)}", *["hint"] * hints)]
        with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
            file.write("\n".join([*start, *lines]) + "\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [program, "-t", "-q", "-c", file.name], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        Path(file.name).unlink()
    return [(f"gnubg, {in_words(plies)}", f"{1000 * (spent[1] - spent[0]) / len(chosen):,.1f}", "", "")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=50, help="positions for each row")
    parser.add_argument("--deep", type=int, default=10, help="positions for the rows that take long")
    parser.add_argument("--quick", action="store_true", help="few positions, and write nothing")
    given = parser.parse_args()
    count, deep = (6, 2) if given.quick else (given.positions, given.deep)
    chosen = positions(count)
    costs = [*textbook_costs(chosen[:deep]), *exact_costs(chosen, 1), *exact_costs(chosen[:deep], 2)]
    for plies in (0, 1, 2):
        costs.append(filtered_costs(chosen, plies))
    costs += [
        filtered_costs(chosen, 2, table=0),
        filtered_costs(chosen, 2, inner=0, pruning="star2"),
        filtered_costs(chosen[:deep], 3),
    ]
    beside = [*beside_gnubg_nn(chosen, 1), *beside_gnubg_nn(chosen, 2), *by_gnubg(chosen, 1), *by_gnubg(chosen, 2)]
    headings = ("search", "leaves a move", "ms a move", "M leaves/s", "leaves saved")
    table = markdown_table(headings, costs)
    other = markdown_table(("program", "ms a move", "slowest", "ratio"), beside)
    rolled = markdown_table(
        ("rollout", "ms a trial", "standard deviation", "error of 1,296 trials"),
        rollout_costs(36 if given.quick else 360),
    )
    print(table, other, rolled, sep="\n\n")
    if not given.quick:
        where = about(f"python bench/dice_search.py --positions {count} --deep {deep}")
        (RESULTS / "dice_search.md").write_text(page(where, table, other, rolled, count, deep))


def page(where: dict[str, Any], table: str, other: str, rolled: str, count: int, deep: int) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in where["versions"].items())
    return f"""# Search with dice

`{where["command"]}`, {where["date"]}. {where["machine"]}. {versions}. Processor time of one core. {count} positions
with a choice from games of the network against itself ({deep} for the textbook's rows, exact searches to 2 plies, and 3
plies).

{table}

The rows without filters are exact: all of them find the same values (`tests/search/test_dice_backgammon.py`). They use
no table. Ballard (1983) reports that Star1 saves 25 to 30 % of the leaves, and Star2 more than half. Here Star2 saves
more, because a probe tries the reply that was best when the same roll came up last, and from 2 plies on the reply that
is best statically.

## A move, next to GNU Backgammon

The same positions in the same run; zermelo and gnubg-nn take turns. zermelo uses the filters `normal` and follows the
best reply, as gnubg does. The program gnubg uses its pruning networks.

{other}

## Rollouts

360 trials of the opening move 8/5 6/5 at 0 plies. The standard error of n trials is the standard deviation divided by
√n.

{rolled}
"""


if __name__ == "__main__":
    main()
