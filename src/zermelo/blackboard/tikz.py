"""Trees and traces as TikZ, for papers and exams: plain TikZ, no libraries and no other packages."""

from __future__ import annotations

from typing import Any

from zermelo.blackboard.figure import Figure, Group, Line, Shape, Words, figure
from zermelo.blackboard.layout import BUDGET

UNIT = 40.0
"""Units of the layout per centimetre."""
MARGIN = 0.3
"""The margin of an article, in centimetres."""

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
    "−": r"\ensuremath{-}",
    "∞": r"\ensuremath{\infty}",
    "≤": r"\ensuremath{\le}",
    "≥": r"\ensuremath{\ge}",
    "≈": r"\ensuremath{\approx}",
    "α": r"\ensuremath{\alpha}",
    "β": r"\ensuremath{\beta}",
    "\n": " ",
}
_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def draw(drawing: Any, show: str | None = None, *, budget: int = BUDGET, title: str = "", document: str = "") -> str:
    """A tree, a trace (after its last step) or a snapshot as a tikzpicture, or as a whole document.

    document   "article": a page that is as large as the picture, by what every TeX installation has; "standalone": by
               the class of that name, which is in TeX Live's latexextra, not in its basic collections
    """
    made = figure(drawing, show, budget, title)
    lines = [f"% {_comment(made.title)}", r"\begin{tikzpicture}[x=1cm,y=-1cm,inner sep=0pt,line join=round]"]
    for group in made.groups:
        lines += [f"  {_item(item, group)}" for item in group.items]
    lines.append(r"\end{tikzpicture}")
    if document:
        lines = [*_head(document, made), *lines, r"\end{document}"]
    return "\n".join(lines) + "\n"


def _head(document: str, made: Figure) -> list[str]:
    if document == "standalone":
        return [r"\documentclass[tikz,border=2mm]{standalone}", r"\usepackage[utf8]{inputenc}", r"\begin{document}"]
    if document != "article":
        raise ValueError(f'a document is "article" or "standalone", not {document!r}')
    width, height = (max(size / UNIT, 1) + 2 * MARGIN for size in (made.width, made.height))
    return [
        r"\documentclass{article}",
        r"\usepackage[utf8]{inputenc}",
        r"\usepackage{tikz}",
        rf"\usepackage[paperwidth={width:.2f}cm,paperheight={height:.2f}cm,margin={MARGIN}cm]{{geometry}}",
        r"\pagestyle{empty}",
        r"\setlength{\parindent}{0pt}",
        r"\setlength{\topskip}{0pt}",
        r"\begin{document}",
    ]


def _item(item: Line | Shape | Words, group: Group) -> str:
    if isinstance(item, Line):
        return f"\\draw[{_stroke(group, item.kind)}] {_at(item.x1, item.y1)} -- {_at(item.x2, item.y2)};"
    if isinstance(item, Words):
        font = {"value": r"\small\bfseries", "name": r"\small\itshape"}.get(
            item.kind, r"\scriptsize" if item.kind in ("note", "label", "hidden") else r"\small"
        )
        fill = ",fill=white,inner sep=1pt" if item.kind == "label" and group.part == "edge" else ""
        place = f"\\node[anchor={_ANCHORS[item.anchor]},font={{{font}}}{fill}] at {_at(item.x, item.y)}"
        return f"{place} {{{escaped(item.text)}}};"
    style = _stroke(group, item.kind)
    if item.radius:
        return f"\\draw[{style}] {_at(*item.points[0])} circle ({item.radius / UNIT:.3f});"
    if item.kind == "leaf" and "unseen" not in group.states:
        style += ",fill=black"
    return f"\\draw[{style}] {' -- '.join(_at(x, y) for x, y in item.points)} -- cycle;"


def _stroke(group: Group, kind: str) -> str:
    if kind == "strike":
        return "line width=0.9pt"
    if kind == "fold":
        return "line width=0.4pt"
    if "cut" in group.states or "unseen" in group.states:
        return "dashed,line width=0.5pt"
    if "best" in group.states or "current" in group.states:
        return "line width=1.6pt"
    return "line width=0.6pt"


def _at(x: float, y: float) -> str:
    return f"({x / UNIT:.3f},{y / UNIT:.3f})"


def escaped(text: str) -> str:
    """Text as LaTeX shows it."""
    return "".join(_LATEX.get(c, c) for c in text if c >= " " or c == "\n")


def _comment(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
