"""`zermelo rollout`: text, JSON, files and errors."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from zermelo.app.cli import main

PIG = ["rollout", "pig", "--set", "target=30", "--plain", "--truncate", "2"]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), prog_name="zermelo")


def test_the_moves_with_their_intervals() -> None:
    result = run(*PIG, "roll", "4", "--trials", "36")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert "36 trials at 0 plies, truncated after 2 moves, luck subtracted; 95 % intervals" in lines[2]
    assert [line.split()[0] for line in lines[3:]] == ["roll", "hold"]
    assert all("±" in line for line in lines[3:])


def test_one_move_as_json_without_the_reduction_of_luck() -> None:
    result = run(*PIG, "roll", "4", "--trials", "36", "--move", "hold", "--no-reduction", "--seed", "3", "--json")
    read = json.loads(result.stdout)
    assert [each["action"] for each in read["moves"]] == ["hold"]
    assert (read["settings"]["seed"], read["settings"]["reduce"]) == (3, False)


def test_a_file_is_resumed(tmp_path: Path) -> None:
    file = str(tmp_path / "trials.json")
    assert run(*PIG, "--trials", "36", "--file", file, "--json").exit_code == 0
    read = json.loads(run(*PIG, "--trials", "72", "--file", file, "--json").stdout)
    assert read["moves"][0]["trials"] == 72
    other = run(*PIG, "--trials", "72", "--seed", "1", "--file", file)
    assert other.exit_code == 2
    assert "is another rollout: its seed is 0, not 1; use another file" in other.stderr


def test_mistakes_are_named() -> None:
    for words, said in (
        (("rollout", "chess"), "Chess has no dice or other chance"),
        ((*PIG, "--trials", "0"), "trials must be a whole number from 1"),
        ((*PIG, "--move", "fold"), "fold"),
        ((*PIG, "--file", "nowhere/trials.json"), "there is no folder 'nowhere'"),
        (("rollout", "backgammon", "--position", "XGID=x"), "an XGID has 9 or 10 fields"),
    ):
        result = run(*words)
        assert result.exit_code == 2, words
        assert said in result.stderr, result.stderr
