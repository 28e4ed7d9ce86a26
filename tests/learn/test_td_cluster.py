"""TD(λ) on a local Ray cluster: the same weights as with processes, also if a worker is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zermelo.learn.td import TdProgress, learn_td
from zermelo.learn.td.learner import weights_of

pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[ray]'")

QUICK: dict[str, Any] = {
    "hidden": (32,), "rate": 1.0, "games": 600, "interval": 50, "workers": 2, "ratings": 1, "rating_games": 50
}  # fmt: skip


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
def test_the_same_weights_on_a_cluster(ray: Any) -> None:
    killed: list[int] = []

    def kill_one(progress: TdProgress) -> None:
        if progress.games >= 200 and not killed and actors():
            killed.append(actors()[0])
            os.kill(killed[0], signal.SIGKILL)

    there = learn_td("tic_tac_toe", ray=True, on_progress=kill_one, **QUICK)
    here = learn_td("tic_tac_toe", **QUICK)
    assert killed
    assert here.network.record["best_after"] == 600
    assert (weights_of(there.network) == weights_of(here.network)).all()
