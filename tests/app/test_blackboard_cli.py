"""`zermelo tree` and `zermelo practice`, as students and teachers type them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from zermelo.app import blackboard
from zermelo.app.cli import main
from zermelo.blackboard.trace import trace
from zermelo.trees import Tree, names

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
    assert answer["line"] == [0, 0]
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


def test_json_is_about_the_tree_that_was_given() -> None:
    answer = json.loads(run("tree", "[[2,4],[3,12]]", "--order", "best", "--json").output)
    assert (answer["action"], answer["line"]) == (1, [1, 0])
    assert answer["visited"][:3] == [0, 2, 5]


def test_the_librarys_answer() -> None:
    assert "Answer: " in run("tree", "fig-5.2", "--answer").output
    assert json.loads(run("tree", "fig-5.2", "--json").output)["answer"]


def test_a_declared_depth_counts(tmp_path: Path) -> None:
    file = tmp_path / "deep.test"
    file.write_text(
        'class: "GraphGameTreeTest"\nalg: "MinimaxAgent"\ndepth: "1"\nnum_agents: "2"\nstart_state: "max"\n'
        'win_states: "a b c d"\nlose_states: ""\n'
        'successors: """\nmax Left m1\nmax Right m2\nm1 L p1\nm2 L p2\np1 L a\np1 R b\np2 L c\np2 R d\n"""\n'
        'evaluation: """\nm1 0.0\nm2 0.0\np1 50.0\np2 7.0\na 3.0\nb 1.0\nc 2.0\nd 100.0\n"""\n'
    )
    answer = json.loads(run("tree", str(file), "--algorithm", "minimax", "--json").output)
    assert (answer["value"], answer["action"]) == (50, 0)


def test_long_trees_are_typed_too() -> None:
    assert json.loads(run("tree", f"[{','.join(['1'] * 300)}]", "--json").output)["value"] == 1
    deep = run("tree", "[" * 1000)
    assert deep.exit_code == 2
    assert "line 1, column" in deep.output


def test_steps_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        @staticmethod
        def isatty() -> bool:
            return True

    shown: list[str] = []
    monkeypatch.setattr(blackboard, "sys", type("Sys", (), {"stdin": Terminal, "stdout": Terminal}))
    monkeypatch.setattr(blackboard.click, "echo", lambda words, **_: shown.append(str(words)))
    monkeypatch.setattr(blackboard.click, "prompt", lambda *_, **__: "")
    found = trace(Tree([[3, 1], [2, 0]]))
    blackboard._step(found, None)
    assert len(shown) == 2 * len(found.steps)


def test_steps() -> None:
    done = run("tree", FIGURE, "--step")
    assert done.exit_code == 0
    assert "nothing below can matter" in done.output


def test_monte_carlo_tree_search_is_watched(tmp_path: Path) -> None:
    done = run("tree", "fig-5.2", "--algorithm", "mcts", "--simulations", "12", "--step")
    assert "Simulation 4: selection at the root: MAX takes the greatest upper bound" in done.output
    answer = json.loads(run("tree", FIGURE, "--algorithm", "mcts", "--json").output)
    assert (answer["value"], answer["exact"]) == (3, True)
    assert len(answer["steps"]) > 3 * answer["simulations"] > 15
    plain = run("tree", FIGURE, "--algorithm", "mcts", "--no-proofs", "--simulations", "40", "--seed", "2")
    assert "after 40 simulations" in plain.output
    page, picture = tmp_path / "growing.html", tmp_path / "growing.svg"
    done = run(
        *("tree", "tic_tac_toe", "--moves", "5 1", "--algorithm", "mcts"),
        *("--export", str(page), "--export", str(picture)),
    )
    assert done.exit_code == 0, done.output
    assert "Tic" in page.read_text()
    ElementTree.parse(picture)


def test_a_game_is_unrolled_and_searched(tmp_path: Path) -> None:
    done = run("tree", "tic_tac_toe", "--moves", "5,1,9,2,3,7", "--plies", "3")
    assert "value 1, move 6" in done.output
    own = tmp_path / "mine.py"
    own.write_text("from zermelo.games.nim import Nim\n\n\nclass Mine(Nim):\n    pass\n")
    done = run("tree", str(own), "--set", "piles=(1,2)", "--algorithm", "mcts", "--json")
    assert json.loads(done.output)["exact"], done.output


def test_unknown_leaves() -> None:
    done = run("tree", "fig-5.2-x")
    assert "x ≤ 3" in done.output
    assert json.loads(run("tree", "fig-5.2-x", "--set", "x=5", "--json").output)["action"] == 1
    assert json.loads(run("tree", "fig-5.2-x", "--set", "x=10/3", "--json").output)["value"] == pytest.approx(10 / 3)
    assert "x < 800" in run("tree", "trip").output or "x ≤ 800" in run("tree", "trip").output
    two = run("tree", "[[3,x],[2,y]]", "--set", "y=1000")
    assert two.exit_code == 0, two.output
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
    assert "must end in one of .svg, .png, .tex, .html, .txt" in wrong.output


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
        (("tree", "fig-5.2-x", "--set", "x=nan"), "x=nan: an unknown leaf needs a number"),
        (("tree", FIGURE, "--depth", "1"), "--depth needs estimates"),
        (("tree", FIGURE, "--export", "nowhere/tree.svg"), "there is no folder 'nowhere'"),
        (("tree", "range: 0 .. 10\n[6, {1/2: 0, 1/2: x}]", "--set", "x=99"), "lies outside the declared range"),
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
    assert "✗ leaf 1: pruned" in wrong.output
    assert "correct" not in wrong.output  # the answer is hidden until --solution
    hint = run("practice", "pruning", "--seed", "3", "--hint", "--answer", "1")
    assert "Hint: Keep α" in hint.output
    answer = json.loads(run("practice", "values", "--answer", "A=1", "--json").output)
    assert not answer["passed"]


def test_practice_gives_hints_before_the_answer() -> None:
    done = run("practice", "values", "--seed", "2", typed="h\nA=1\nh\nh\ns\n")
    assert done.exit_code == 1
    said = done.output
    order = ["Work from the leaves up", "✗ A: 1", "I = 11", "no more hints", "A=10, B=4"]
    assert [said.index(words) for words in order] == sorted(said.index(words) for words in order)


def test_every_exercise_is_new_and_can_be_repeated() -> None:
    numbers = {json.loads(run("practice", "bounds", "--json").output)["seed"] for _ in range(4)}
    assert len(numbers) > 1
    number = numbers.pop()
    first, again = (run("practice", "bounds", "--seed", str(number), "--solution").output for _ in range(2))
    assert first == again
    assert f"--seed {number} repeats it" in first


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
