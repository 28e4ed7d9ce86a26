"""A user's own file, as the page on learning has it, improved by two worker processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from zermelo.app.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "learning.md"


@pytest.mark.slow
def test_the_game_of_the_page_learns_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (source,) = [block for block in PAGE.read_text().split("```") if "class Isola(" in block]
    Path("isola.py").write_text(source.removeprefix("python\n"))
    size = ["--positions", "6000", "--nodes", "50", "--opening", "2", "8", "--elo1", "40", "--max-pairs", "400"]
    found = CliRunner().invoke(
        main, ["learn", "isola.py", "--generations", "1", "--folder", "run", *size, "--workers", "2", "--json"]
    )
    assert found.exit_code == 0, found.output
    (generation,) = json.loads(found.stdout)["generations"]
    assert generation["positions"] >= 6000
    assert generation["after"] < generation["before"]
    assert generation["contest"]["score"] > 0.5
