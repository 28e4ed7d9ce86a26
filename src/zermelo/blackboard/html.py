"""A trace as one web page that steps forward and back: complete in itself, offline, and closed to the network.

The page holds the tree as SVG, the trace as data, and a small script (`page.js`) that shows one step of it after the
other. Its security policy names the script and the styles by their digests and allows nothing else, so that neither a
name in a tree nor anything added to the page later can load or send anything.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib.resources import files
from typing import Any

from zermelo.blackboard import svg
from zermelo.blackboard.figure import live_figure
from zermelo.blackboard.layout import BUDGET
from zermelo.blackboard.recorder import Step
from zermelo.blackboard.steps import Steps
from zermelo.blackboard.wording import interval, value


def page(trace: Steps, *, title: str = "", budget: int = BUDGET) -> str:
    """The whole page, to be written to a file and opened in any browser."""
    made = live_figure(trace, budget, title)
    resources = files("zermelo.blackboard")
    script = resources.joinpath("page.js").read_text(encoding="utf-8")
    style = resources.joinpath("page.css").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)} {_digest(svg.STYLE)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    code = "".join(f"<li>{escape(line)}</li>" for line in trace.pseudocode)
    rows = "".join(f'<dt>{label}</dt><dd id="now-{name}">–</dd>' for name, label in trace.facts())
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{escape(made.title)}</title>
<style>{style}</style>
</head>
<body>
<main>
<header><h1>{escape(made.title)}</h1><p>{escape(trace.summary())}
<span class="keys">Keys: <kbd>←</kbd> <kbd>→</kbd> <kbd>Home</kbd> <kbd>End</kbd>.</span></p></header>
<div class="controls" role="group" aria-label="Steps">
<button id="first" type="button" aria-label="First step">|◀</button>
<button id="back" type="button" aria-label="Step back">◀</button>
<button id="forward" type="button" aria-label="Step forward">▶</button>
<button id="last" type="button" aria-label="Last step">▶|</button>
<input id="slider" type="range" min="0" max="{len(trace.steps) - 1}" value="0" aria-label="Step">
<span id="count"></span>
{_views(trace)}
</div>
<p class="says" id="says" role="status" aria-live="polite" aria-atomic="true"></p>
<div class="tree" id="tree" tabindex="0" role="region" aria-label="The tree">
{svg.render(made)}</div>
{f'<section class="code" aria-label="Pseudocode"><h2>The algorithm</h2><ol>{code}</ol></section>' if code else ""}
<section class="facts" aria-label="At this step"><h2>At this step</h2><dl>{rows}</dl></section>
<p class="legend">{trace.legend()}</p>
</main>
<script type="application/json" id="trace">{_data(trace, made.drawn)}</script>
<script>{script}</script>
</body>
</html>
"""


def _views(trace: Steps) -> str:
    """The selector for what is shown next to the nodes."""
    if not trace.views():
        return ""
    choices = "".join(
        f'<label><input type="radio" name="view" value="{name}"{" checked" if i == 0 else ""}>{label}</label>'
        for i, (name, label) in enumerate(trace.views())
    )
    return f"<fieldset><legend>Next to the nodes:</legend>{choices}</fieldset>"


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(trace: Steps, drawn: tuple[int, ...]) -> str:
    """The trace as JSON that cannot end its script element."""
    data = {"steps": steps(trace, set(drawn)), "best": [0, *trace.line]}
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def steps(trace: Steps, drawn: set[int]) -> list[dict[str, Any]]:
    """What each step changes in the picture, in words; what happens in a folded subtree is shown at its top."""
    rows = []
    for step, snapshot in zip(trace.steps, trace.snapshots(), strict=True):
        visible = [node for node in snapshot.current if node in drawn]
        now = trace.now(step, snapshot)
        if step.node not in drawn:
            now["place"] += ", in a folded subtree"
        at = step.node if step.node in drawn else visible[-1]
        rows.append(
            {"kind": step.kind, "node": at, "at": step.node, "path": visible, "text": step.text}
            | {"line": step.line, "now": now}
            | _changes(step, drawn)
        )
    return rows


def _changes(step: Step, drawn: set[int]) -> dict[str, Any]:
    signs = {node: f"{step.sign.get(node, '')} {value(worth)}".strip() for node, worth in step.value.items()}
    changes: dict[str, Any] = {
        "window": {node: interval(known) for node, known in step.window.items() if node in drawn},
        "range": {node: interval(known) for node, known in step.range.items() if node in drawn},
        "value": {node: text for node, text in signs.items() if node in drawn},
        "note": {node: text for node, text in step.note.items() if node in drawn},
        "bound": {node: text for node, text in step.bound.items() if node in drawn},
        "seen": [step.entered] if step.entered in drawn else [],
        "cut": [child for _, child in step.cut if child in drawn],
    }
    return {name: change for name, change in changes.items() if change}
