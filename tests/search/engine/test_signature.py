"""What the engine does is pinned by how many nodes it visits; a change that is meant to change that says so here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo import UnknownName
from zermelo.search.signature import SUITES, signatures

CHESS_NODES = 36_812
"""Of chess alone, whose evaluation changes most often: what `zermelo bench chess` prints."""

NODES = {
    "connect_four": 1_164_991,
    "othello": 69_679,
    "breakthrough": 1_553_700,
    "chess": CHESS_NODES,
    "tic_tac_toe": 8_975,
    "nim": 3_874,
}


@pytest.mark.parametrize("game", NODES)
def test_the_signature(game: str) -> None:
    assert [s.nodes for s in signatures([game])] == [NODES[game]]


def test_it_is_the_same_again() -> None:
    """In the same process, with everything compiled and the memory of the machine in another state."""
    small = ["nim", "tic_tac_toe", "nim"]
    assert [s.nodes for s in signatures(small)] == [NODES[name] for name in small]


@pytest.mark.slow  # of the matrix of games and algorithms, every program is compared cold and warm
def test_it_is_the_same_cold_and_warm(empty_cache: Path) -> None:
    command = [sys.executable, "-m", "zermelo", "bench", "nim", "--json"]
    for _ in range(2):  # compiled afresh, and then loaded from the cache
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["signature"] == NODES["nim"]


def test_every_suite_is_pinned() -> None:
    assert [suite.game for suite in SUITES] == list(NODES)
    with pytest.raises(UnknownName, match="there is no suite of positions for 'pig'"):
        signatures(["pig"])
