"""Every test run has a cache of compiled programs of its own, so that no test depends on what a user has compiled."""

from __future__ import annotations

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
sys.path.insert(0, str(Path(__file__).parent))  # so that tests can share `support`

settings.register_profile("usual", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("usual")


def pytest_configure() -> None:
    """Where tests run side by side, Ctrl-C is switched off in the processes that run them; some tests press it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A page or a server for which a busy machine has not found the time is tried again."""
    for item in items:
        if {"browser", "served"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with nothing in it."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser; where there is none, the test is skipped, and says so."""
    from support.browsing import browsing

    with browsing() as made:
        yield made
