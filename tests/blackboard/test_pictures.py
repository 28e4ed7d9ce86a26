"""Pictures: the layout on random trees, and SVG, text, TikZ and PNG from it."""

from __future__ import annotations

import builtins
import io
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.random_trees import trees
from zermelo.blackboard import png, svg, text, tikz
from zermelo.blackboard.figure import Shape, Words, figure
from zermelo.blackboard.growth import watch_mcts
from zermelo.blackboard.layout import FOLDED, folded, tidy
from zermelo.blackboard.trace import trace
from zermelo.trees import MAX, Tree, chance, leaf, node

FIGURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
HOSTILE = "<script>alert(1)</script>&\"'\\{$%#_^~"
XML = "{http://www.w3.org/2000/svg}"


def shapes(root: Any) -> list[list[int]]:
    tree = Tree(root)
    return [list(range(f, f + c)) for f, c in zip(tree.first_child.tolist(), tree.child_count.tolist(), strict=True)]


@given(trees(size=60), st.data())
def test_tidy_layout(root: Any, data: st.DataObject) -> None:
    children = shapes(root)
    rooms = st.lists(st.floats(1, 60), min_size=len(children), max_size=len(children))
    left, right = data.draw(rooms), data.draw(rooms)
    x = tidy(children, left, right, 5.0)
    assert x == tidy(children, left, right, 5.0)
    depth = [0] * len(children)
    for parent, row in enumerate(children):
        for child in row:
            depth[child] = depth[parent] + 1
        if row:
            assert x[parent] == pytest.approx((x[row[0]] + x[row[-1]]) / 2)
    for level in range(max(depth) + 1):
        row = [n for n in range(len(children)) if depth[n] == level]  # breadth first: from left to right
        for a, b in pairwise(row):
            assert x[b] - left[b] - (x[a] + right[a]) >= 5.0 - 1e-6
    assert min(at - room for at, room in zip(x, left, strict=True)) == pytest.approx(0)


@given(trees(size=30))
def test_a_mirrored_tree_has_a_mirrored_layout(root: Any) -> None:
    def mirrored(at: Any) -> Any:
        return at if at.is_leaf else node(at.mover, *[mirrored(child) for child in reversed(at.children)])

    one = shapes(root)
    other = shapes(mirrored(root))
    a, b = tidy(one, [3.0] * len(one), [3.0] * len(one)), tidy(other, [3.0] * len(one), [3.0] * len(one))
    width = max(a) + 3.0
    assert sorted(width - at for at in a) == pytest.approx(sorted(b))


@given(trees(size=80), st.integers(12, 60))
def test_folding_keeps_the_budget_and_loses_nothing(root: Any, budget: int) -> None:
    children = shapes(root)
    spots = folded(children, (), budget)
    assert len(spots) <= budget + 1
    drawn = [spot.node for spot in spots if spot.node >= 0]
    assert len(set(drawn)) == len(drawn)
    assert len(drawn) + sum(spot.hidden for spot in spots) == len(children)
    if len(children) <= budget:
        assert not any(spot.hidden for spot in spots)


def test_the_principal_line_is_opened_first() -> None:
    children = shapes([[[[[1, 2]] * 4] * 4] * 4] * 4)
    line = [0]
    while children[line[-1]]:
        line.append(children[line[-1]][-1])
    drawn = {spot.node for spot in folded(children, line, 24 * FOLDED)}
    assert set(line) <= drawn


def test_a_very_wide_and_a_very_deep_tree() -> None:
    wide = folded([list(range(1, 5001)), *[[] for _ in range(5000)]], (), 100)
    assert wide[-1].node == -1
    assert wide[-1].hidden == 5000 - (len(wide) - 2)
    deep = [[n + 1] for n in range(20_000)] + [[]]
    assert len(folded(deep, (), 100)) <= 101


def test_svg_of_the_traced_textbook_tree() -> None:
    picture = ElementTree.fromstring(svg.draw(trace(Tree(FIGURE))))
    assert picture.get("role") == "img"
    assert picture.find(f"{XML}title") is not None
    description = picture.find(f"{XML}desc")
    assert description is not None
    assert "Pruned: leaves 4, 6." in (description.text or "")
    cut = [g.get("data-edge") for g in picture.iter(f"{XML}g") if "cut" in (g.get("class") or "").split()]
    assert cut == ["8", "9"]
    groups = [(g.get("data-edge"), (g.get("class") or "").split()) for g in picture.iter(f"{XML}g")]
    assert [edge for edge, classes in groups if edge and "best" in classes] == ["1", "4"]
    assert len([c for c in picture.iter(f"{XML}polygon") if c.get("class") == "max"]) == 1
    assert len([c for c in picture.iter(f"{XML}polygon") if c.get("class") == "min"]) == 3
    words = [t.text for t in picture.iter(f"{XML}text")]
    assert "≤ 2" in words
    assert "[3, +∞]" in words


def test_svg_is_the_same_every_time() -> None:
    assert svg.draw(Tree(FIGURE)) == svg.draw(Tree(FIGURE))


def test_shapes_tell_the_players_apart() -> None:
    tree = Tree(node(MAX, chance((0.5, [1, 2]), (0.5, 3), labels=["heads", ""])))
    made = figure(tree)
    kinds = [item.kind for group in made.groups for item in group.items if isinstance(item, Shape)]
    assert kinds == ["max", "chance", "min", "leaf", "leaf", "leaf"]
    words = {item.text for group in made.groups for item in group.items if isinstance(item, Words)}
    assert {"heads (0.5)", "0.5"} <= words


def test_unknown_leaves_can_be_drawn() -> None:
    assert ">x</text>" in svg.draw([[3, "x"], [2, "y"]])
    assert "x" in text.draw([[3, "x"], [2, "y"]])


@given(trees(dice=True, size=30))
def test_pictures_of_random_trees(root: Any) -> None:
    made = trace(Tree(root, utility_range=(-3, 3)), "star2")
    for show in ("windows", "ranges", "values"):
        ElementTree.fromstring(svg.draw(made, show))
    assert balanced(tikz.draw(made))
    assert text.draw(made).count("\n") == len(made.tree.nodes)


def balanced(source: str) -> bool:
    plain = re.sub(r"\\[\\{}%$]", "", "\n".join(re.sub(r"(?<!\\)%.*", "", line) for line in source.split("\n")))
    depth = 0
    for c in plain:
        depth += (c == "{") - (c == "}")
        if depth < 0:
            return False
    return depth == 0 and plain.count(r"\begin") == plain.count(r"\end") and plain.count("$") == 0


def test_tikz() -> None:
    drawing = tikz.draw(trace(Tree(FIGURE)), document="standalone")
    assert balanced(drawing)
    assert drawing.startswith(r"\documentclass[tikz,border=2mm]{standalone}")
    assert drawing.count("dashed") == 4  # two edges, two leaves
    assert r"\ensuremath{\infty}" in drawing
    assert all(ord(c) < 128 for c in drawing)
    statements = [line.strip() for line in drawing.splitlines() if line.startswith("  ")]
    assert all(line.endswith(";") for line in statements)


def has_tex(*files: str) -> bool:
    """Can LaTeX be run with these packages?"""
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    return all(subprocess.run(["kpsewhich", file], capture_output=True, check=False).returncode == 0 for file in files)


@pytest.mark.parametrize("document", ["article", "standalone"])
def test_latex_compiles(document: str, tmp_path: Path) -> None:
    if not has_tex("tikz.sty", f"{document}.cls"):
        pytest.skip(f"LaTeX with TikZ and the class {document} is not installed")
    hostile = node(0, leaf(1, name="a_b&c%#{}"), leaf(-2), labels=("α ≤ β", "$^~"), name="100 % − ∞")
    for number, drawing in enumerate((trace(Tree(FIGURE)), hostile, watch_mcts(Tree(FIGURE)))):
        file = tmp_path / f"picture{number}.tex"
        file.write_text(tikz.draw(drawing, document=document), encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", file.name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-1500:]
        assert "(1 page" in done.stdout


def test_an_article_needs_no_further_classes() -> None:
    drawing = tikz.draw(Tree(FIGURE), document="article")
    assert drawing.startswith(r"\documentclass{article}")
    assert "standalone" not in drawing
    with pytest.raises(ValueError, match="article"):
        tikz.draw(Tree(FIGURE), document="book")


def test_text() -> None:
    assert text.draw(trace(Tree(FIGURE))).splitlines() == [
        "▲  3  [3, +∞]",
        "├─* ▼  3  [−∞, 3]",
        "│ ├─* ■ 3",
        "│ ├── ■ 12",
        "│ └── ■ 8",
        "├── ▼  ≤ 2  [3, +∞]",
        "│ ├── ■ 2",
        "│ ├─✂ ■ 4",
        "│ └─✂ ■ 6",
        "└── ▼  2  [3, 5]",
        "  ├── ■ 14",
        "  ├── ■ 5",
        "  └── ■ 2",
    ]


def test_names_cannot_break_out() -> None:
    tree = Tree(node(MAX, [1, 2], 3, name=HOSTILE, labels=[HOSTILE, "\x1b[31m\x00"]))
    made = trace(tree)
    drawn = svg.draw(made, title=HOSTILE)
    ElementTree.fromstring(drawn)
    assert "<script" not in drawn
    assert balanced(tikz.draw(made, title=HOSTILE + "\n}\\input{x}"))
    assert "\x1b" not in text.draw(made)


def test_what_to_show_is_checked() -> None:
    for module in (svg, text, tikz):
        with pytest.raises(ValueError, match="show is one of windows, ranges, values"):
            module.draw(trace(Tree(FIGURE)), "colours")


def test_notebooks_are_given_svg() -> None:
    made = trace(Tree(FIGURE))
    assert made._repr_svg_() == svg.draw(made)
    assert made.at(10)._repr_svg_() == svg.draw(made.at(10))


def test_png() -> None:
    pytest.importorskip("PIL", reason="Pillow is not installed: pip install 'zermelo[png]'")
    from PIL import Image

    made = trace(Tree(FIGURE))
    image = Image.open(io.BytesIO(png.draw(made, scale=2)))
    drawn = figure(made)
    assert image.size == (round(drawn.width * 2), round(drawn.height * 2))
    colours = image.convert("RGB").getcolors(1 << 20)
    assert colours is not None
    assert len(colours) > 20
    with pytest.raises(ValueError, match="pixels"):
        png.draw(made, scale=1000)


def test_png_without_pillow(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: Any) -> Any:
        if name.startswith("PIL"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ImportError, match=r"pip install 'zermelo\[png\]'"):
        png.draw(Tree(FIGURE))
