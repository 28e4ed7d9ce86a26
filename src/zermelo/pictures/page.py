"""Pieces of HTML for notebooks: tables, and pictures next to tables. All text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

CELL = 'style="text-align:left;vertical-align:top"'


def table(rows: Iterable[Sequence[object]], headings: Sequence[str] = (), caption: str = "") -> str:
    """Rows of cells as a table; without headings, the first cell of each row is one."""
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    if headings:
        above += "<tr>" + "".join(f"<th {CELL}>{escape(each)}</th>" for each in headings) + "</tr>"
    return f"<table>{above}{''.join(_row(row, bool(headings)) for row in rows)}</table>"


def beside(*parts: str) -> str:
    """Pictures and tables side by side if there is room, otherwise stacked."""
    return f'<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">{"".join(parts)}</div>'


def _row(cells: Sequence[object], plain: bool) -> str:
    kinds = ["td" if plain or place else "th" for place in range(len(cells))]
    inside = (f"<{kind} {CELL}>{escape(str(cell))}</{kind}>" for kind, cell in zip(kinds, cells, strict=True))
    return f"<tr>{''.join(inside)}</tr>"
