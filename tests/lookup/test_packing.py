"""Packed tables are unpacked to what they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo import games
from zermelo.lookup.class_files import open_class, write_class
from zermelo.lookup.packing import BLOCK, LONGEST, canonical_codes, code_lengths, lookup_table
from zermelo.lookup.retrograde import INVALID

GAME = games.load("tic_tac_toe")


@settings(max_examples=30)
@given(st.lists(st.tuples(st.sampled_from([0, 1, -1, 5, -300, INVALID]), st.integers(1, 700)), min_size=1, max_size=20))
def test_runs_come_back(tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[int, int]]) -> None:
    values = np.concatenate([np.full(count, value, np.int16) for value, count in runs])
    path = tmp_path_factory.getbasetemp() / "runs.win"
    write_class(path, GAME, values, {}, compiled=False)
    found = open_class(path).values(GAME, compiled=False)
    used = values != INVALID
    assert (found[used] == values[used]).all()


def test_both_modes_write_the_same_file(tmp_path: Path) -> None:
    values = (np.random.default_rng(5).geometric(0.1, 3 * BLOCK + 17) * 3 - 40).astype(np.int16)
    write_class(tmp_path / "one", GAME, values, {})
    write_class(tmp_path / "two", GAME, values, {}, compiled=False)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert (open_class(tmp_path / "one").values(GAME) == values).all()
    assert (tmp_path / "one").stat().st_size < len(values)


@given(st.lists(st.integers(0, 1 << 40), min_size=1, max_size=60).filter(any))
def test_codes_are_complete_and_never_too_long(counts: list[int]) -> None:
    lengths = code_lengths(counts)
    assert ((lengths > 0) == (np.array(counts) > 0)).all()
    assert lengths.max() <= LONGEST
    used = lengths[lengths > 0]
    if len(used) > 1:
        assert sum(2.0**-length for length in used.tolist()) == 1
        assert (lookup_table(lengths) > 0).all()
    assert len(set(zip(canonical_codes(lengths).tolist(), lengths.tolist(), strict=True))) >= len(used)
