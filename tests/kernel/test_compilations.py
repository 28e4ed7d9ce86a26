"""What is being compiled can be asked, refused, and is compiled by one process only."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from zermelo.games import load
from zermelo.kernel import compilations
from zermelo.kernel.compilations import NotCached, announced, current, only_cached
from zermelo.search.driver import analyse


def test_who_does_not_want_to_wait_gets_an_error_and_nothing_is_compiled(empty_cache: Path) -> None:
    with only_cached(), pytest.raises(NotCached):
        analyse(load("nim", piles=(2, 9, 1)), algorithm="minimax", depth=1, compile=True)
    assert not list(empty_cache.glob("*.program"))


def test_a_cached_program_is_loaded_all_the_same(empty_cache: Path) -> None:
    code = (
        "import sys; from zermelo import analyse; from zermelo.games import load; "
        "from zermelo.kernel.compilations import only_cached, current; import contextlib\n"
        "with only_cached() if sys.argv[1] == 'cached' else contextlib.nullcontext():\n"
        "    print(analyse(load('nim'), algorithm='greedy', compile=True).compiled, current())"
    )
    for way in ("any", "cached"):
        done = subprocess.run([sys.executable, "-c", code, way], capture_output=True, text=True)
        assert done.stdout == "True None\n", done.stderr


def test_what_is_being_compiled_is_known_with_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert current() is None
    with announced("chess", tmp_path / "x.program"):
        now = current()
        assert now is not None
        assert now.game == "chess"
        monkeypatch.setattr(compilations.time, "monotonic", lambda: now.began + 8.2)
        assert str(now) == "compiling chess, once: 8 s"
    assert current() is None


def test_one_process_compiles_and_the_others_wait(tmp_path: Path) -> None:
    """Two threads stand for two processes: each opens the lock by itself."""
    order, path = [], tmp_path / "x.program"

    def second() -> None:
        with announced("nim", path):
            order.append("second")

    with announced("nim", path):
        other = threading.Thread(target=second)
        other.start()
        time.sleep(0.1)
        order.append("first")
    other.join(10)
    assert order == ["first", "second"]
    assert not list(tmp_path.iterdir())  # no lock is left


def test_what_is_cached_is_not_announced(tmp_path: Path) -> None:
    path = tmp_path / "x.program"
    path.touch()
    with only_cached(), announced("nim", path):
        assert current() is None
