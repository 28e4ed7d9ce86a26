"""The chart of a race: a bar for each technique, on a logarithmic scale, as one self-contained SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from zlib import crc32

STYLE = """
.zermelo-race{--ink:#1b1f24;--soft:#59636e;--grid:#e1e5ea;--paper:#fff;--bar:#8fb8e8;--mark:#0b4f9c;--best:#b42318;
font-family:system-ui,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif}
@media (prefers-color-scheme:dark){.zermelo-race{--ink:#e8ecf1;--soft:#a9b4c0;--grid:#2b323b;--paper:#14181d;
--bar:#345d8f;--mark:#a8cdfa;--best:#ff8f80}}
.zermelo-race .paper{fill:var(--paper)}
.zermelo-race text{fill:var(--ink);font-size:13px}
.zermelo-race text.title{font-size:14px;font-weight:600}
.zermelo-race text.soft{fill:var(--soft);font-size:12px}
.zermelo-race text.amount{stroke:var(--paper);stroke-width:5px;paint-order:stroke;stroke-linejoin:round}
.zermelo-race text.best{fill:var(--best);font-size:12px}
.zermelo-race line.grid{stroke:var(--grid)}
.zermelo-race line.best{stroke:var(--best);stroke-width:1.5;stroke-dasharray:5 4}
.zermelo-race line.leaves{stroke:var(--mark);stroke-width:3}
.zermelo-race rect.bar{fill:var(--bar)}
"""

LEFT, RIGHT, WIDTH = 186, 150, 480
TOP, STEP, BAR = 66, 26, 16
GAP, LETTER = 7, 7  # before the words beside a bar, and how wide one of their letters is at most


def draw(title: str, bars: Sequence[tuple[str, int, int, float]], best: float) -> str:
    """The chart: for each technique its name, nodes and leaves, and its nodes relative to plain alpha-beta."""
    decades = max(1, math.ceil(math.log10(max([best, *(nodes for _, nodes, _, _ in bars)]))))
    bottom = TOP + STEP * len(bars)
    width, height = LEFT + WIDTH + RIGHT, bottom + 56

    def place(amount: float) -> float:
        return LEFT + WIDTH * math.log10(max(amount, 1.0)) / decades

    own = f"{crc32(repr((title, tuple(bars))).encode()):x}"
    described = "; ".join(f"{name}: {nodes:,} nodes, {leaves:,} leaves" for name, nodes, leaves, _ in bars)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-race" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" aria-labelledby="title-{own} description-{own}">',
        f'<title id="title-{own}">{escape(title)}</title>',
        f'<desc id="description-{own}">{escape(described)}; the fewest leaves possible: {best:,.0f}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        f'<text class="title" x="16" y="26">{escape(title)}</text>',
    ]
    for power in range(decades + 1):
        x = place(10.0**power)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{bottom}"/>')
        parts.append(
            f'<text class="soft" x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{_amount(10**power)}</text>'
        )
    fewest = place(best)
    for number, (name, nodes, leaves, ratio) in enumerate(bars):
        y = TOP + STEP * number
        end, mark = place(nodes), place(leaves)
        words = f"{nodes:,}" if ratio == 1 else f"{nodes:,}  (× {ratio:.3g})"
        start = end + GAP
        if start - GAP < fewest < start + LETTER * len(words):  # the line of the best case would run through them
            start = fewest + GAP
        parts += [
            f'<text x="{LEFT - 10}" y="{y + 13}" text-anchor="end">{escape(name)}</text>',
            f'<rect class="bar" x="{LEFT}" y="{y}" width="{end - LEFT:.1f}" height="{BAR}"/>',
            f'<line class="leaves" x1="{mark:.1f}" y1="{y}" x2="{mark:.1f}" y2="{y + BAR}"/>',
            f'<text class="soft amount" x="{start:.1f}" y="{y + 13}">{words}</text>',
        ]
    words = f"fewest leaves possible: {best:,.0f}"
    parts += [
        f'<line class="best" x1="{fewest:.1f}" y1="{TOP - 10}" x2="{fewest:.1f}" y2="{bottom}"/>',
        f'<text class="best" x="{fewest:.1f}" y="{TOP - 16}" text-anchor="middle">{words}</text>',
        f'<text class="soft" x="{LEFT}" y="{bottom + 40}">nodes, on a logarithmic scale; the mark in a bar: leaves'
        f"</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _amount(number: int) -> str:
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number // size}{letter}"
    return str(number)
