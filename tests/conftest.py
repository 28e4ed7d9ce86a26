"""Settings for all tests. Compiled programs and tables are the tests' own, so no test depends on a user's."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("ZERMELO_CACHE", str(Path(__file__).parent.parent / ".cache" / "tests"))
os.environ.setdefault("ZERMELO_STATE", str(Path(__file__).parent.parent / ".cache" / "state"))
os.environ.setdefault("ZERMELO_TABLES", str(Path(__file__).parent.parent / ".cache" / "no_tables"))
sys.path.insert(0, str(Path(__file__).parent))  # so that tests can share `support`

from support.reruns import rerun_timeouts

pytest_plugins = ["pytester"]

settings.register_profile("usual", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("usual")


def pytest_configure() -> None:
    """Enable Ctrl-C, which pytest-xdist disables in its worker processes: some tests send it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    rerun_timeouts(items)


@pytest.fixture(autouse=True)
def quiet_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands say nothing about slow compilations, so that their output does not depend on the machine."""
    monkeypatch.setattr("zermelo.app.waiting.REPORTED", 3600.0)


@pytest.fixture(autouse=True)
def no_callbacks_of_hypothesis() -> None:
    """Hypothesis times the garbage collector; a Ctrl-C that arrives in its callback would be lost."""
    gc.callbacks[:] = [each for each in gc.callbacks if not str(each.__module__).startswith("hypothesis")]


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of compiled programs."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser. Without one, the test is skipped."""
    from support.browsing import browsing

    with browsing() as made:
        yield made
