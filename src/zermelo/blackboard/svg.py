"""Trees and traces as SVG: for web pages, notebooks and slides, in light and dark, and for screen readers."""

from __future__ import annotations

from html import escape
from typing import Any
from zlib import crc32

from zermelo.blackboard.figure import Figure, Group, Line, Shape, Words, figure
from zermelo.blackboard.layout import BUDGET

STYLE = """
.zermelo-tree{--ink:#1b1f24;--soft:#59636e;--faint:#9aa4af;--paper:#fff;--fill:#e8f0fb;--hot:#b42318;--now:#ffe08a;
font-family:system-ui,"Segoe UI","DejaVu Sans",Helvetica,Arial,sans-serif}
@media (prefers-color-scheme:dark){.zermelo-tree{--ink:#e8ecf1;--soft:#a9b4c0;--faint:#6f7b88;--paper:#14181d;
--fill:#22354f;--hot:#ff8f80;--now:#7a5b00}}
.zermelo-tree .paper{fill:var(--paper)}
.zermelo-tree line{stroke:var(--soft);stroke-width:1.4}
.zermelo-tree .unseen line{stroke:var(--faint);stroke-dasharray:4 4}
.zermelo-tree .current line{stroke:var(--ink);stroke-width:2.4}
.zermelo-tree .best line{stroke:var(--ink);stroke-width:4}
.zermelo-tree .cut line{stroke:var(--hot);stroke-dasharray:4 4;stroke-width:1.4}
.zermelo-tree line.strike{display:none}
.zermelo-tree .cut line.strike{display:inline;stroke-dasharray:none;stroke-width:2}
.zermelo-tree polygon,.zermelo-tree circle{fill:var(--fill);stroke:var(--ink);stroke-width:1.6}
.zermelo-tree .unseen polygon,.zermelo-tree .unseen circle{fill:var(--paper);stroke:var(--faint);stroke-dasharray:3 3}
.zermelo-tree .leaf{fill:var(--ink)}
.zermelo-tree .unseen .leaf{fill:var(--paper)}
.zermelo-tree .best polygon,.zermelo-tree .best circle{stroke-width:3}
.zermelo-tree .current polygon,.zermelo-tree .current circle{fill:var(--now);stroke:var(--ink);stroke-width:3.4}
.zermelo-tree .fold{fill:none!important;stroke:var(--soft)!important;stroke-width:1.2!important}
.zermelo-tree text{fill:var(--ink);font-size:14px}
.zermelo-tree text.value{font-weight:700}
.zermelo-tree text.note,.zermelo-tree text.hidden{font-size:12px;fill:var(--soft)}
.zermelo-tree text.label{font-size:12px;stroke:var(--paper);stroke-width:7px;paint-order:stroke;stroke-linejoin:round}
.zermelo-tree text.name{font-style:italic}
.zermelo-tree .unseen text.leaf-value{fill:var(--soft)}
.zermelo-tree.growing .unseen{visibility:hidden}
.zermelo-tree .join{fill:none;stroke:var(--hue);stroke-width:2.2;stroke-dasharray:6 4}
.zermelo-tree .member circle{stroke:var(--hue);stroke-width:2.6;fill:var(--paper)}
.zermelo-tree .member.chosen circle{fill:var(--now)}
.zermelo-tree .join.chosen{stroke-width:4}
.zermelo-tree .by-chance circle{fill:var(--soft);stroke:none}
.zermelo-tree .never{opacity:.35}
.zermelo-tree text.how-often{fill:var(--soft)}
.zermelo-tree .hue-0{--hue:#2f6fc4}
.zermelo-tree .hue-1{--hue:#c46a12}
.zermelo-tree .hue-2{--hue:#2f8a4f}
.zermelo-tree .hue-3{--hue:#8b4fc0}
.zermelo-tree .hue-4{--hue:#c23b4b}
.zermelo-tree .hue-5{--hue:#14808a}
.zermelo-tree .hue-6{--hue:#8a6a2f}
.zermelo-tree .hue-7{--hue:#c04f97}
"""


def draw(drawing: Any, show: str | None = None, *, budget: int = BUDGET, title: str = "") -> str:
    """A tree, a trace (after its last step) or a snapshot as one SVG element, complete in itself.

    show    next to the nodes: "windows", "ranges" or "values"; of Monte Carlo tree search "visits" or "bounds"
    budget  the number of nodes to draw before subtrees are folded
    """
    return render(figure(drawing, show, budget, title))


def render(made: Figure, style: str = STYLE) -> str:
    """A figure as SVG."""
    width, height = _place(made.width), _place(made.height)
    # The identifiers tie the texts to the picture for screen readers, and several pictures may share a page.
    own = f"{crc32(repr((made.title, made.description, width)).encode()):x}"
    kind = "zermelo-tree growing" if made.growing else "zermelo-tree"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" aria-labelledby="title-{own} description-{own}">',
        f'<title id="title-{own}">{_safe(made.title)}</title>',
        f'<desc id="description-{own}">{_safe(made.description)}</desc>',
        f"<style>{style}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        *(_group(group) for group in made.groups),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _group(group: Group) -> str:
    classes = " ".join([group.part, *sorted(group.states)])
    name = f' data-{group.part}="{group.node}"' if group.node >= 0 else ""
    return f'<g class="{classes}"{name}>' + "".join(_item(item) for item in group.items) + "</g>"


def _item(item: Line | Shape | Words) -> str:
    if isinstance(item, Line):
        ends = f'x1="{_place(item.x1)}" y1="{_place(item.y1)}" x2="{_place(item.x2)}" y2="{_place(item.y2)}"'
        return f'<line class="{item.kind}" {ends}/>'
    if isinstance(item, Words):
        kind = "leaf-value" if item.kind == "leaf" else item.kind
        where = f'x="{_place(item.x)}" y="{_place(item.y)}" text-anchor="{item.anchor}"'
        return f'<text class="{kind}" {where}>{_safe(item.text)}</text>'
    if item.radius:
        (x, y) = item.points[0]
        return f'<circle class="{item.kind}" cx="{_place(x)}" cy="{_place(y)}" r="{_place(item.radius)}"/>'
    points = " ".join(f"{_place(x)},{_place(y)}" for x, y in item.points)
    return f'<polygon class="{item.kind}" points="{points}"/>'


def _place(x: float) -> str:
    return f"{x:.2f}".rstrip("0").rstrip(".")


def _safe(text: str) -> str:
    """Text that is safe in XML: markup escaped, and characters that XML does not allow removed."""
    known = "".join(c for c in text if c in "\t\n" or (ord(c) >= 32 and not 0xD800 <= ord(c) <= 0xDFFF))
    return escape("".join(c for c in known if c not in "\ufffe\uffff\x7f"))
