"""A trap: plain UCT falls into it, and alpha-beta does not (Ramanujan, Sabharwal and Selman 2010)."""

from __future__ import annotations

from zermelo import analyse
from zermelo.trees import Tree, leaf, node

WIDTH = 20


def trap() -> Tree:
    """A safe draw, or a move that wins in almost every random game but loses by force in three plies."""
    lost = node(1, leaf(-1), *[leaf(1)] * (WIDTH - 1))
    trapped = node(1, node(0, *[lost] * WIDTH), *[leaf(1)] * (WIDTH - 1))
    return Tree(node(0, leaf(0), trapped, labels=("safe", "trap")), utility_range=(-1, 1))


def test_alpha_beta_sees_the_trap() -> None:
    found = analyse(trap(), algorithm="alpha_beta", compile=False)
    assert (found.line_names, found.value, found.exact) == (("safe",), 0, True)
    assert found.nodes < 100


def test_plain_uct_falls_into_it_and_proofs_find_the_way_out() -> None:
    for seed in range(3):
        options = {"nodes": 1000, "seed": seed, "rollout_plies": 9, "compile": False}
        uct = analyse(trap(), algorithm="mcts", proofs=False, **options)
        assert uct.line_names[0] == "trap"
        assert float(uct.value) > 0.5  # type: ignore[arg-type]
        proven = analyse(trap(), algorithm="mcts", **options)
        assert proven.line_names[0] == "safe"
