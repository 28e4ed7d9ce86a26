"""Curves on logarithmic or ordinary scales as SVG, in light and dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

Point = tuple[float, float]

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 72, 168, 40, 52
COLOURS = ("blue", "red", "green", "gold", "violet", "grey")
DASHES = ("", "7 4", "2 4")
"""When all colours are taken, the next curves are dashed."""
STYLE = """
.zermelo-curves{--ink:#1b1f24;--soft:#59636e;--paper:#fff;--rule:#dfe3e8;--blue:#2d5fa8;--red:#c7372f;--green:#2f7d4f;
--gold:#a87900;--violet:#7d4aa8;--grey:#6d7680;font-family:system-ui,"DejaVu Sans",Helvetica,Arial,sans-serif}
@media (prefers-color-scheme:dark){.zermelo-curves{--ink:#e8ecf1;--soft:#a9b4c0;--paper:#14181d;--rule:#333b45;
--blue:#6ea0ea;--red:#ee6f66;--green:#62bd88;--gold:#e0b13c;--violet:#b78be0;--grey:#9aa2ab}}
.zermelo-curves .zb-paper{fill:var(--paper)}
.zermelo-curves .zb-rule{stroke:var(--rule);stroke-width:1}
.zermelo-curves .zb-frame{fill:none;stroke:var(--soft);stroke-width:1}
.zermelo-curves text{fill:var(--soft);font-size:12px}
.zermelo-curves .zb-title{fill:var(--ink);font-size:15px}
.zermelo-curves .zb-curve{fill:none;stroke-width:2;stroke-linejoin:round}
"""


@dataclass(frozen=True)
class Axis:
    """A scale: its name, its ends, and whether it is logarithmic."""

    name: str
    low: float
    high: float
    logarithmic: bool = True

    @classmethod
    def around(cls, name: str, numbers: Sequence[float], logarithmic: bool = True) -> Axis:
        """The scale that shows these numbers: whole powers of ten, or from the least to the largest."""
        if not logarithmic:
            low, high = min(numbers), max(numbers)
            return cls(name, low, high if high > low else low + 1.0, False)
        low, high = (math.log10(f(numbers)) for f in (min, max))
        return cls(name, 10.0 ** math.floor(low), 10.0 ** max(math.ceil(high), math.floor(low) + 1))

    def share(self, number: float) -> float:
        """Where a number lies between both ends, from 0 to 1."""
        if self.logarithmic:
            return math.log(number / self.low) / math.log(self.high / self.low)
        return (number - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """The numbers with a rule, and how they are written."""
        if not self.logarithmic:
            return [(x, f"{x:.3g}") for x in (self.low + (self.high - self.low) * i / 5 for i in range(6))]
        first, last = round(math.log10(self.low)), round(math.log10(self.high))
        step = max(1, (last - first + 7) // 8)
        return [(10.0**power, _power(power)) for power in range(first, last + 1, step)]


def _power(power: int) -> str:
    return f"{10**power:,}" if 0 <= power <= 5 else f"{10.0**power:g}" if power < 0 else f"1e{power}"


def draw_curves(
    title: str,
    curves: Mapping[str, Sequence[Point]],
    across: str,
    up: str,
    *,
    logarithmic: tuple[bool, bool] = (True, True),
) -> str:
    """A picture of curves, each with its name. On a logarithmic scale, numbers that are not positive are left out."""
    shown = {name: [p for p in points if _is_shown(p, logarithmic)] for name, points in curves.items()}
    shown = {name: points for name, points in shown.items() if points}
    if not shown:
        raise ValueError("there is nothing to draw: no curve has a point")
    every = [point for points in shown.values() for point in points]
    x = Axis.around(across, [point[0] for point in every], logarithmic[0])
    y = Axis.around(up, [point[1] for point in every], logarithmic[1])
    parts = [*_grid(x, y), *(_curve(i, name, points, x, y) for i, (name, points) in enumerate(shown.items()))]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-curves" role="img" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}"><title>{escape(title)}</title><style>{STYLE}</style>'
        f'<rect class="zb-paper" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<text class="zb-title" x="{LEFT}" y="24">{escape(title)}</text>{"".join(parts)}</svg>\n'
    )


def _is_shown(point: Point, logarithmic: tuple[bool, bool]) -> bool:
    return all(math.isfinite(v) and (v > 0 or not log) for v, log in zip(point, logarithmic, strict=True))


def _place(point: Point, x: Axis, y: Axis) -> Point:
    """A point of the picture."""
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    return LEFT + wide * x.share(point[0]), TOP + high * (1.0 - y.share(point[1]))


def _grid(x: Axis, y: Axis) -> list[str]:
    """The frame, the rules and what is written beside them."""
    parts = []
    for number, name in x.ticks():
        at, _ = _place((number, y.low), x, y)
        parts.append(f'<line class="zb-rule" x1="{at:.1f}" y1="{TOP}" x2="{at:.1f}" y2="{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{name}</text>')
    for number, name in y.ticks():
        _, at = _place((x.low, number), x, y)
        parts.append(f'<line class="zb-rule" x1="{LEFT}" y1="{at:.1f}" x2="{WIDTH - RIGHT}" y2="{at:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{name}</text>')
    middle, centre = (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2
    turned = f'text-anchor="middle" transform="rotate(-90 16 {centre:g})"'
    parts.append(
        f'<rect class="zb-frame" x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}"/>'
        f'<text x="{middle:g}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x.name)}</text>'
        f'<text x="16" y="{centre:g}" {turned}>{escape(y.name)}</text>'
    )
    return parts


def _curve(number: int, name: str, points: Sequence[Point], x: Axis, y: Axis) -> str:
    """A curve, and its name in the legend on the right."""
    colour, dash = COLOURS[number % len(COLOURS)], DASHES[number // len(COLOURS) % len(DASHES)]
    style = f'style="stroke:var(--{colour})"' + (f' stroke-dasharray="{dash}"' if dash else "")
    drawn = "M" + " L".join(f"{a:.1f} {b:.1f}" for a, b in (_place(point, x, y) for point in points))
    at, begin = TOP + 14 + 20 * number, WIDTH - RIGHT + 12
    return (
        f'<path class="zb-curve" {style} d="{drawn}"/>'
        f'<line class="zb-curve" {style} x1="{begin}" y1="{at - 4}" x2="{begin + 24}" y2="{at - 4}"/>'
        f'<text x="{begin + 31}" y="{at}">{escape(name)}</text>'
    )
