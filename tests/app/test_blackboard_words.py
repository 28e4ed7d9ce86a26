"""What `zermelo tree` and `zermelo practice` say to somebody who reads it for the first time."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from zermelo.app.cli import main


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ("fig-5.2", "value 3, move a1: 11 nodes"),
        ("[[3, 1], [2, 4]]", "value 2, move 1: 7 nodes"),
        ("[a: [3, 1], b: [2, 4]] --order worst", "value 2, move b: 7 nodes"),
    ],
)
def test_a_move_goes_by_its_name(tree: str, said: str) -> None:
    where, _, order = tree.partition(" --order ")
    done = CliRunner().invoke(main, ["tree", where, *(("--order", order) if order else ())])
    assert said in done.output


@pytest.mark.parametrize("answer", ["4, 3, 0, 4", "four"])
def test_an_answer_without_names_is_told_how_it_is_written(answer: str) -> None:
    done = CliRunner().invoke(main, ["practice", "values", "--seed", "0", "--answer", answer])
    assert f"✗ answer: {answer}. Write each node's name and its value, like A=1, B=2." in done.output
    assert "correct is" not in done.output
    assert done.exit_code == 1


def test_fields_that_are_left_empty_are_graded_one_by_one() -> None:
    done = CliRunner().invoke(main, ["practice", "values", "--seed", "0", "--answer", "A=abc, B=, C=, D="])
    assert "✗ A: no answer" in done.output
    assert "0 of 9 right" in done.output
