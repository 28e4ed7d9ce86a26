"""`zermelo tree` and `zermelo practice`, as students and teachers type them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from zermelo.app.cli import main
from zermelo.trees import names

FIGURE = "[[3,12,8],[2,4,6],[14,5,2]]"


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=typed)


def test_named_trees_are_listed() -> None:
    assert [line.split()[0] for line in run("tree", "--list").output.splitlines()] == names()
    assert run("tree").output == run("tree", "--list").output


@pytest.mark.parametrize("tree", ["fig-5.2", FIGURE])
def test_json_of_the_textbooks_tree(tree: str) -> None:
    answer = json.loads(run("tree", tree, "--json").output)
    assert (answer["value"], answer["action"]) == (3, 0)
    assert len(answer["line"]) == 2
    assert answer["pruned"] == [[2, 8], [2, 9]]
    assert answer["visited"] == [0, 1, 4, 5, 6, 2, 7, 3, 10, 11, 12]


@pytest.mark.parametrize("name", names())
def test_every_named_tree_is_shown(name: str) -> None:
    done = run("tree", name)
    assert done.exit_code == 0, done.output
    assert "value" in done.output


def test_toggles() -> None:
    tie = "[[3,12],[3,1]]"
    assert json.loads(run("tree", tie, "--json").output)["nodes"] == 6
    assert json.loads(run("tree", tie, "--json", "--cut", "<").output)["nodes"] == 7
    assert json.loads(run("tree", FIGURE, "--json", "--order", "best").output)["nodes"] == 9
    assert json.loads(run("tree", FIGURE, "--json", "--algorithm", "minimax").output)["nodes"] == 13


def test_steps() -> None:
    done = run("tree", FIGURE, "--step")
    assert done.exit_code == 0
    assert "nothing below can matter" in done.output


def test_unknown_leaves() -> None:
    done = run("tree", "fig-5.2-x")
    assert "x ≤ 3" in done.output
    assert json.loads(run("tree", "fig-5.2-x", "--set", "x=5", "--json").output)["action"] == 1
    wrong = run("tree", "fig-5.2-x", "--set", "z=5")
    assert wrong.exit_code == 2
    assert "there is no unknown leaf z in this tree; it has x" in wrong.output


def test_exports(tmp_path: Path) -> None:
    files = [tmp_path / f"tree{suffix}" for suffix in (".svg", ".tex", ".html", ".txt")]
    done = run("tree", FIGURE, *(part for file in files for part in ("--export", str(file))))
    assert done.exit_code == 0, done.output
    ElementTree.parse(files[0])
    assert "tikzpicture" in files[1].read_text()
    assert "<script" in files[2].read_text()
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []
    wrong = run("tree", FIGURE, "--export", str(tmp_path / "tree.doc"))
    assert wrong.exit_code == 2
    assert "is none of .svg, .png, .tex, .html, .txt" in wrong.output


def test_a_picture_in_png(tmp_path: Path) -> None:
    pytest.importorskip("PIL")
    file = tmp_path / "tree.png"
    assert run("tree", FIGURE, "--export", str(file)).exit_code == 0
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tree", "fig-5.22"), "there is no tree 'fig-5.22'"),
        (("tree", "[[3,"), "line 1, column 2: a [ without its ]"),
        (("tree", "missing.json"), "there is no file 'missing.json'"),
        (("tree", FIGURE, "--algorithm", "star1"), "needs known bounds on the utility"),
        (("tree", FIGURE, "--order", "odd"), "there is no order 'odd'"),
        (("practice", "chess"), "there is no exercise 'chess'"),
        (("practice", "minimax", "--grade", "missing.py"), "there is no file 'missing.py'"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2, done.output
    assert message in done.output
    assert len(done.output.splitlines()) == 1


def test_practice_is_asked_and_graded() -> None:
    solution = run("practice", "pruning", "--seed", "3", "--solution").output.splitlines()[-1]
    right = run("practice", "pruning", "--seed", "3", typed=f"{solution}\n")
    assert right.exit_code == 0, right.output
    wrong = run("practice", "pruning", "--seed", "3", "--answer", "1")
    assert wrong.exit_code == 1
    assert "right is looked at" in wrong.output
    answer = json.loads(run("practice", "values", "--answer", "A=1", "--json").output)
    assert not answer["passed"]


def test_an_unknown_leaf_is_drawn_as_one() -> None:
    done = run("practice", "unknown", "--seed", "2", "--answer", "x < 100")
    assert any(line.rstrip().endswith("x") for line in done.output.splitlines()), done.output


def test_a_worksheet_and_its_key(tmp_path: Path) -> None:
    file = tmp_path / "sheet.html"
    assert run("practice", "mixed", "--sheet", str(file), "--count", "6").exit_code == 0
    page, key = file.read_text(), (tmp_path / "sheet-key.html").read_text()
    assert page.count("<section>") == key.count("<section>") == 6
    assert 'class="key"' in key
    assert 'class="key"' not in page


def test_a_students_function_is_graded(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "def minimax(tree, node=0):\n"
        "    if tree.is_leaf(node): return tree.utility(node)\n"
        "    values = [minimax(tree, child) for child in tree.children(node)]\n"
        "    return max(values) if tree.mover(node) == 'MAX' else min(values)\n"
    )
    done = run("practice", "minimax", "--grade", str(file))
    assert done.exit_code == 0, done.output
    file.write_text(file.read_text().replace("max(values) if", "min(values) if"))
    assert run("practice", "minimax", "--grade", str(file)).exit_code == 1
