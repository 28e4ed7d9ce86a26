"""Tables on a Ray cluster are the same files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from zermelo import games
from zermelo.app.cli import main
from zermelo.lookup.building import build_classes
from zermelo.lookup.cluster import build_on_cluster

pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[ray]'")


@pytest.fixture
def ray() -> Iterator[Any]:
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 * 2**20)
    yield ray
    ray.shutdown()


@pytest.mark.slow
def test_the_files_are_the_same(ray: Any, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    build_classes(games.load("chess"), ["KQK"], folder=here)
    solved = build_on_cluster("chess", {}, ["KQK"], there)
    assert sorted(each.name for each in solved) == ["KK", "KQK"]
    assert all(each.built for each in solved)
    for name in ("KK", "KQK"):
        assert (there / "chess" / f"{name}.win").read_bytes() == (here / "chess" / f"{name}.win").read_bytes()


@pytest.mark.slow
def test_the_command_with_ray(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    build_classes(games.load("chess"), ["KQK"], folder=here)
    done = CliRunner().invoke(main, ["table", "chess", "KQK", "--folder", str(there), "--ray"])
    assert done.exit_code == 0, done.output
    assert "KQK: 46,137 positions" in done.output
    assert (there / "chess" / "KQK.win").read_bytes() == (here / "chess" / "KQK.win").read_bytes()
