"""Registered games are compiled in advance, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.app import warming
from zermelo.app.compiling import Preparation


def test_what_is_compiled_is_not_compiled_again(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make(preparation: Preparation) -> None:
        made.append(preparation.task)

    usual = Preparation.__init__

    def init(preparation: Preparation, *given: object) -> None:
        usual(preparation, *given)  # type: ignore[arg-type]
        preparation.make = lambda: make(preparation)

    monkeypatch.setattr(Preparation, "__init__", init)
    warming.warm("nim")
    assert made[:2] == ["analysis", "engine:seconds=1"]
    count = len(made)
    warming.warm("nim")
    assert len(made) == count
    assert list((empty_cache / "ready").iterdir())
