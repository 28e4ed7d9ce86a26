"""The same games on a local Ray cluster, one of whose workers is killed."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_tournament import without_times

from zermelo import read_games
from zermelo.arena.cluster import Cluster
from zermelo.arena.pool import Workers
from zermelo.arena.standings import Standings
from zermelo.arena.supervisor import WorkerFailed
from zermelo.arena.tournament import Settings, Tournament
from zermelo.play.record import Record

pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[ray]'")

SETTINGS = Settings("connect_four", ("engine:nodes=30000", "engine:nodes=10000"), rounds=6, openings=2)


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 * 2**20)
    yield ray
    ray.shutdown()


@pytest.mark.slow
def test_a_worker_of_the_cluster_is_killed(ray: Any, tmp_path: Path) -> None:
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    cluster = Cluster(slots=2)
    killed: list[int] = []

    def alive() -> int:
        """Somebody who is; that one who was killed is not may not be known yet."""
        for slot in cluster.slots:
            with contextlib.suppress(ray.exceptions.RayActorError):
                return int(ray.get(slot.pid.remote()))
        raise AssertionError("nobody is left")

    def kill(record: Record, standings: Standings) -> None:
        if standings.games in (3, 7):
            killed.append(alive())
            os.kill(killed[-1], signal.SIGKILL)

    Tournament(SETTINGS).play(cluster, there, on_game=kill)
    Tournament(SETTINGS).play(Workers(2), here)
    assert len(set(killed)) == 2
    assert without_times(there) == without_times(here)
    assert len(list(read_games(there))) == 12


@pytest.mark.slow
def test_more_slots_than_processors_wait_for_each_other(ray: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    settings = Settings("tic_tac_toe", ("random", "random:random=1"), rounds=4)
    assert Tournament(settings).play(Cluster(slots=4), path).games == 8


def test_what_is_wrong_on_a_cluster_is_told_as_it_is_here(ray: Any, tmp_path: Path) -> None:
    path = tmp_path / "vague.py"
    path.write_text(
        "from zermelo.games.tic_tac_toe import TicTacToe\n"
        "class Vague(TicTacToe):\n"
        "    def utility(self, s, p):\n"
        "        raise ValueError('nobody knows')\n"
    )
    settings = Settings(str(path), ("random", "random:random=1"), rounds=1, openings=0)
    with pytest.raises(WorkerFailed, match=r"^game \d of .* could not be played: ValueError: nobody knows$"):
        Tournament(settings).play(Cluster(slots=1), tmp_path / "games.jsonl")


@pytest.mark.slow
def test_a_match_on_a_cluster_is_gone_on_with_elsewhere(ray: Any, tmp_path: Path) -> None:
    """What was begun in processes of this machine is finished on the cluster: the same games."""
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    Tournament(SETTINGS).play(Workers(2), whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    broken.write_bytes(b"".join(lines[:5]) + lines[5][:30])
    Tournament(SETTINGS).play(Cluster(slots=2), broken)
    assert without_times(broken) == without_times(whole)
