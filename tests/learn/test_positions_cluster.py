"""Positions made on a local Ray cluster: whole games, also if a worker is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zermelo.games.resolve import resolve
from zermelo.learn.positions import FIRST, LAST, Generated, generate, load

pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[ray]'")

SMALL: dict[str, Any] = {"width": 4, "height": 5}


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 * 2**20)
    yield ray
    ray.shutdown()


def actors() -> list[int]:
    """The processes of actors on this machine."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"ray::Actor" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:  # it has ended
            continue
    return found


@pytest.mark.slow
def test_a_cluster_fills_a_folder(ray: Any, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill_one(progress: Generated) -> None:
        if not killed and actors():
            killed.append(actors()[0])
            os.kill(killed[0], signal.SIGKILL)

    done = generate(
        "breakthrough", tmp_path, parameters=SMALL, positions=40_000, workers=2, ray=True, nodes=20, opening=(1, 3),
        on_progress=kill_one,
    )  # fmt: skip
    records = load(tmp_path, resolve("breakthrough", SMALL))
    assert killed
    assert done.positions == len(records) >= 40_000
    assert (records["flags"] & FIRST != 0).sum() == (records["flags"] & LAST != 0).sum()
