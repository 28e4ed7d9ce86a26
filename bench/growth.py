"""How the work of a search grows with branching and depth, measured on random trees and fitted.

Run it with no arguments: it measures, writes results/growth.json, and from that draws docs/pictures/growth_*.svg and
fills in the tables of docs/growth.md. With --draw it does only the latter, from the results at hand.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from about import RESULTS, about
from random_trees import BEST_FIRST, NATURAL, ORDERS, WORST_FIRST, RandomDiceTree, RandomTree, leaves_of

import zermelo

COMMAND = "python bench/growth.py"
BRANCHINGS = (2, 3, 4, 5, 6, 8, 12, 16, 32)
SEEDS = 20
MOST_LEAVES = 4e6
"""No deeper than where a search is expected to look at so many leaves."""


# Theory.


def leaves_in_best_order(b: int, m: int) -> int:
    """What alpha-beta cannot do without, and all it looks at in the best order (Knuth and Moore 1975)."""
    return int(b ** math.ceil(m / 2) + b ** (m // 2) - 1)


def pearl_exponent(b: float) -> float:
    """The growth for independent leaves in random order, as a power of b^m (Pearl 1982).

    The branching is x / (1 - x), where x is the positive root of x^b + x = 1.
    """
    low, high = 0.0, 1.0
    for _ in range(100):
        x = (low + high) / 2
        if x**b + x > 1:
            high = x
        else:
            low = x
    return math.log(low / (1 - low)) / math.log(b)


# Measuring.


def mean_leaves(algorithm: str, seeds: int, kind: type[RandomTree], *shape: int, **tree: Any) -> float:
    """How many leaves the search looks at, on average over so many trees of this kind and shape."""
    return float(np.mean([leaves_of(kind(*shape, seed=seed, **tree), algorithm)[0] for seed in range(seeds)]))


def deepest(b: int, exponent: float) -> int:
    """The depth at which b^(exponent · m) leaves are as many as we care to look at."""
    return max(3, int(math.log(MOST_LEAVES) / (exponent * math.log(b))))


def curve(b: int, depths: range, algorithm: str, seeds: int = SEEDS, **tree: Any) -> dict[str, Any]:
    """Leaves looked at for each depth, and the power of b^m that they grow by.

    `slope` is fitted over the deeper half, ln leaves against m in units of ln b: how much one more ply costs. `point`
    is ln leaves / (m ln b) at the deepest: the power of b^m that it comes to there, what it began with included.
    """
    leaves = [mean_leaves(algorithm, seeds, RandomTree, b, m, **tree) for m in depths]
    powers = np.log(leaves) / math.log(b)
    slope = fitted_slope(depths, powers)
    return {"depths": list(depths), "leaves": leaves, "slope": slope, "point": float(powers[-1]) / depths[-1]}


def fitted_slope(depths: range, powers: Any) -> float:
    """The slope over the deeper half. Odd and even depths lie on lines of their own, whose distance is fitted too."""
    first = max(0, min(len(powers) // 2, len(powers) - 4))
    x = np.array(depths[first:], float)
    columns = np.stack([x, np.ones_like(x), x % 2], axis=1)
    return float(np.linalg.lstsq(columns, powers[first:], rcond=None)[0][0])


def measure_orders() -> list[dict[str, Any]]:
    """Minimax, and alpha-beta in every order, for each branching."""
    found = []
    for b in BRANCHINGS:
        say(f"branching {b}")
        deep, shallow = range(1, deepest(b, 0.75) + 1), range(1, deepest(b, 1.0) + 1)
        best = curve(b, deep, "alpha_beta", 2, handed_down=True, order=BEST_FIRST)
        exact = [leaves_in_best_order(b, m) for m in deep]
        if best["leaves"] != exact:
            sys.exit(f"in the best order alpha-beta looked at {best['leaves']} leaves, where theory says {exact}")
        found.append(
            {
                "branching": b,
                "pearl": pearl_exponent(b),
                "minimax": curve(b, shallow, "minimax", 1),
                "best": best,
                "random": curve(b, deep, "alpha_beta"),
                "worst": curve(b, shallow, "alpha_beta", handed_down=True, order=WORST_FIRST),
                "shuffled": curve(b, deep, "alpha_beta", handed_down=True),
            }
        )
    return found


def measure_correlation() -> list[dict[str, Any]]:
    """Alpha-beta where leaves resemble their neighbours, the moves as they come or sorted by how they look."""
    found = []
    for b in (4, 8):
        for correlation in (0.0, 0.01, 0.05, 0.25, 0.5, 1.0):
            say(f"branching {b}, correlation {correlation}")
            for order in (NATURAL, BEST_FIRST, WORST_FIRST):
                depths = range(1, deepest(b, 1.0 if order == WORST_FIRST else 0.75) + 1)
                result = curve(b, depths, "alpha_beta", correlation=correlation, order=order)
                found.append({"branching": b, "correlation": correlation, "order": ORDERS[order], **result})
    return found


CHANCE_SHAPES = ((2, 2), (3, 6), (4, 3), (6, 6), (20, 6))
CHANCE_TREES = (
    ("independent leaves", {"correlation": 0.0, "order": NATURAL}),
    ("correlated leaves", {"correlation": 1.0, "order": NATURAL}),
    ("correlated, best looking first", {"correlation": 1.0, "order": BEST_FIRST}),
)


def measure_chance() -> dict[str, Any]:
    """Expectiminimax over m moves, each with a throw after it; and what pruning at chance nodes saves."""
    say("chance")
    growth = []
    for b, n in CHANCE_SHAPES:
        depths = range(1, max(2, int(math.log(MOST_LEAVES) / math.log(b * n))) + 1)
        curves = {
            name: [mean_leaves(name, seeds, RandomDiceTree, b, n, 2 * m) for m in depths]
            for name, seeds in (("expectiminimax", 1), ("star1", 5))
        }
        slope = float(np.polyfit(list(depths), np.log(curves["expectiminimax"]) / math.log(b * n), 1)[0])
        growth.append({"branching": b, "outcomes": n, "moves": list(depths), "slope": slope, **curves})
    shares = []
    for b, n, plies in ((2, 2, 9), (4, 3, 7), (6, 6, 5), (20, 6, 3), (20, 6, 5), (20, 20, 3)):
        everything = b ** math.ceil(plies / 2) * n ** (plies // 2)
        for name, tree in CHANCE_TREES:
            share = {
                algorithm: mean_leaves(algorithm, SEEDS, RandomDiceTree, b, n, plies, **tree) / everything
                for algorithm in ("star1", "star2")
            }
            shares.append({"branching": b, "outcomes": n, "plies": plies, "tree": name, "leaves": everything, **share})
    return {"growth": growth, "shares": shares}


MEMORY_DEPTHS = (10, 30, 100, 300, 1000, 3000, 9000)


def measure_memory() -> list[dict[str, Any]]:
    """What a search to depth m takes, each in a process of its own: it is stopped once it has been deep enough."""
    if not Path("/proc/self/smaps").exists():
        say("memory is measured on Linux only")
        return []
    say("memory")
    found = []
    for b in (2, 8, 32):
        for m in MEMORY_DEPTHS:
            command = [sys.executable, str(Path(__file__)), "--memory", str(b), str(m)]
            found.append(json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout))
    return found


def memory(b: int, m: int) -> dict[str, Any]:
    """The stack that a search to depth m has touched, in bytes, and what its tables hold."""
    game = RandomTree(b, m)
    before = stack_touched()
    zermelo.analyse(game, algorithm="alpha_beta", depth=m, nodes=20 * m, compile=True)
    if game.leaves[0] == 0:
        sys.exit(f"the search was to reach a leaf at depth {m}")
    tables = zermelo.Search(compiled=True, plies=m + 2, root_moves=b, columns=1, bounds=(-1.0, 1.0), width=b)
    sizes = {name: table.nbytes for name, table in vars(tables).items() if isinstance(table, np.ndarray)}
    line = sizes.pop("line")
    return {
        "branching": b,
        "depth": m,
        "stack": stack_touched() - before,
        "tables": sum(sizes.values()),
        "principal line": line,
    }


def stack_touched() -> int:
    """Bytes in memory of the largest mapping, which is the worker's stack; 0 before there is a worker."""
    largest, touched, inside = 256 << 20, 0, False
    for text in Path("/proc/self/smaps").read_text().splitlines():
        first = text.split()[0]
        if "-" in first and not first.endswith(":"):
            start, end = (int(x, 16) for x in first.split("-"))
            inside = end - start > largest
            if inside:
                largest = end - start
        elif inside and first == "Rss:":
            touched = int(text.split()[1]) * 1024
    return touched


def say(text: str) -> None:
    print(f"… {text}", file=sys.stderr, flush=True)


def measure() -> dict[str, Any]:
    return {
        **about(COMMAND, "numba", "numpy"),
        "seeds": SEEDS,
        "orders": measure_orders(),
        "correlation": measure_correlation(),
        "chance": measure_chance(),
        "memory": measure_memory(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draw", action="store_true", help="only draw, from the results of an earlier run")
    parser.add_argument("--memory", nargs=2, type=int, metavar=("B", "M"), help="measure one search's memory")
    options = parser.parse_args()
    if options.memory:
        print(json.dumps(memory(*options.memory)))
        return
    results = RESULTS / "growth.json"
    if not options.draw:
        found = measure()
        results.write_text(json.dumps(compact(found), indent=1) + "\n")
    from growth_pictures import draw, write_tables

    found = json.loads(results.read_text())
    for path in (*draw(found), write_tables(found)):
        print(os.path.relpath(path))


def compact(value: Any) -> Any:
    """The same data with numbers to four digits after the point, which is more than they are good for."""
    if isinstance(value, dict):
        return {name: compact(item) for name, item in value.items()}
    if isinstance(value, list):
        return [compact(item) for item in value]
    return round(value, 4) if isinstance(value, float) else value


if __name__ == "__main__":
    main()
