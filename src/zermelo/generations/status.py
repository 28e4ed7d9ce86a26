"""The status of a run: as plain data, and as a page that needs nothing but a browser."""

from __future__ import annotations

import html
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.kernel.files import write_whole


@dataclass
class Generation:
    """What is known of one generation so far."""

    number: int
    against: str | None = None  # the generation of the evaluation that it has to beat; None: the one at the start
    positions: int = 0
    learned_from: int = 0
    before: float | None = None  # loss on the held-out games
    after: float | None = None
    losses: list[tuple[float, float]] = field(default_factory=list)
    contest: dict[str, Any] | None = None
    is_unchanged: bool = False  # training found nothing better on the held-out games, so there is nothing to test

    @property
    def decision(self) -> str:
        if self.is_unchanged:
            return "unchanged"
        return "" if self.contest is None else str(self.contest["decision"])


@dataclass
class Status:
    """A run: its generations, and what it is doing."""

    title: str
    settings: dict[str, Any]
    generations: list[Generation]
    doing: str
    updated: float

    @property
    def best(self) -> int:
        """The number of the best generation; 0: the evaluation at the start."""
        return max((g.number for g in self.generations if g.decision == "accept"), default=0)

    @property
    def gained(self) -> float:
        """The sum of the Elo differences of the generations that were kept."""
        return sum(g.contest["elo"] or 0.0 for g in self.generations if g.contest and g.decision == "accept")

    def rows(self) -> list[dict[str, str]]:
        """One row for each generation, for tables."""
        return [_row(g) for g in self.generations]


COLUMNS = ("generation", "positions", "loss", "games", "score", "Elo", "LLR", "decision")
DECISIONS = {
    "accept": "kept",
    "reject": "not kept",
    "undecided": "undecided, not kept",
    "go on": "testing",
    "": "",
    "unchanged": "nothing learned",
}


def _row(g: Generation) -> dict[str, str]:
    row = dict.fromkeys(COLUMNS, "")
    row["generation"], row["positions"] = str(g.number), f"{g.positions:,}"
    if g.before is not None and g.after is not None:
        row["loss"] = f"{g.before:.4f} → {g.after:.4f}"
    if g.contest is not None and g.contest["games"]:
        c = g.contest
        row["games"], row["score"] = f"{c['games']:,}", f"{c['score']:.1%}"
        row["Elo"] = elo_with_error(c)
        row["LLR"] = f"{c['llr']:+.2f}"
    row["decision"] = DECISIONS[g.decision]
    return row


def elo_with_error(contest: dict[str, Any]) -> str:
    """The Elo difference and half its 95 % interval."""
    if contest["elo"] is None or contest["low"] is None or contest["high"] is None:
        return "+∞" if contest["score"] > 0.5 else "-∞"
    return f"{contest['elo']:+.0f} ± {(contest['high'] - contest['low']) / 2:.0f}"


def elo_in_words(contest: dict[str, Any]) -> str:
    """The Elo difference with its interval."""

    def shown(number: float | None, sign: str) -> str:
        return f"{sign}∞" if number is None else f"{number:+.0f}"

    high_score = contest["score"] > 0.5
    middle = shown(contest["elo"], "+" if high_score else "-")
    return f"{middle} ({shown(contest['low'], '-')} to {shown(contest['high'], '+')})"


STYLE = """
:root { color-scheme: light dark; --line: #ccc; --soft: #667; --good: #187; --bad: #b43; }
@media (prefers-color-scheme: dark) { :root { --line: #444; --soft: #9ab; --good: #4c9; --bad: #e87; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; }
.soft { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .35rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 600; }
.kept { color: var(--good); } .not { color: var(--bad); }
svg { width: 100%; max-width: 44rem; height: auto; display: block; }
svg text { font: 11px system-ui, sans-serif; fill: currentColor; }
details { margin-top: 1.5rem; } pre { overflow-x: auto; }
@media (max-width: 44rem) {
  thead { display: none; } table, tbody, tr, td { display: block; }
  tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
  td { border: 0; padding: .1rem 0; display: flex; justify-content: space-between; white-space: normal; }
  td:empty { display: none; } td::before { content: attr(data-name); color: var(--soft); }
}
"""


def write_page(path: Path, status: Status) -> None:
    """Write the page, whole or not at all."""
    write_whole(path, page(status).encode())


def page(status: Status) -> str:
    """The page as HTML. It asks the browser to load it again while the run goes on."""
    going_on = status.doing not in ("finished", "stopped")
    refresh = '<meta http-equiv="refresh" content="5">' if going_on else ""
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(status.updated))
    best = f"generation {status.best}" if status.best else "the evaluation at the start"
    gained = f", about {status.gained:+.0f} Elo over the start" if status.best else ""
    settings = html.escape("\n".join(f"{name}: {value}" for name, value in status.settings.items()))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
{refresh}<title>{html.escape(status.title)}: learning</title><style>{STYLE}</style></head><body>
<h1>{html.escape(status.title)}: learning in generations</h1>
<p>{html.escape(status.doing)} <span class="soft">· {when}</span></p>
<p>Best so far: <strong>{best}</strong>{gained}.</p>
<div class="scroll">{_table(status)}</div>
{_contest_picture(status)}
{_loss_picture(status)}
<details><summary>Settings</summary><pre>{settings}</pre></details>
</body></html>
"""


def _table(status: Status) -> str:
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    body = ""
    for row in status.rows():
        decision = row["decision"]
        kind = "kept" if decision == "kept" else "not" if decision and decision != DECISIONS["go on"] else ""
        cells = "".join(f'<td data-name="{name}">{html.escape(row[name])}</td>' for name in COLUMNS[:-1])
        body += f'<tr>{cells}<td data-name="decision" class="{kind}">{decision}</td></tr>'
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _contest_picture(status: Status) -> str:
    """The log-likelihood ratio of the last test, between its bounds."""
    contest = next((g.contest for g in reversed(status.generations) if g.contest and g.contest["pairs"]), None)
    if contest is None:
        return ""
    low, high, llr = contest["lower"], contest["upper"], contest["llr"]
    share = min(max((llr - low) / (high - low), 0.0), 1.0)
    colour = "var(--good)" if llr > 0 else "var(--bad)"
    zero = 10 + 400 * -low / (high - low)
    x = 10 + 400 * share
    anchor = "start" if share < 0.1 else "end" if share > 0.9 else "middle"
    return f"""<h2>Last test: is it {contest["elo1"]:g} Elo better rather than {contest["elo0"]:g}?</h2>
<svg viewBox="0 0 420 60" role="img" aria-label="log-likelihood ratio {llr:.2f}">
<rect x="10" y="20" width="400" height="16" fill="none" stroke="var(--line)"/>
<rect x="{min(zero, x):.1f}" y="20" width="{abs(x - zero):.1f}" height="16" fill="{colour}"/>
<line x1="{zero:.1f}" x2="{zero:.1f}" y1="14" y2="42" stroke="currentColor"/>
<text x="10" y="52">no: {low:.2f}</text><text x="{x:.1f}" y="12" text-anchor="{anchor}">LLR {llr:+.2f}</text>
<text x="410" y="52" text-anchor="end">yes: {high:+.2f}</text></svg>
<p class="soft">{contest["wins"]:,} wins, {contest["draws"]:,} draws, {contest["losses"]:,} losses;
Elo {html.escape(elo_in_words(contest))}, 95 % interval.</p>"""


def _loss_picture(status: Status) -> str:
    """The losses of the last training, epoch by epoch."""
    found = next((g for g in reversed(status.generations) if g.losses), None)
    if found is None:
        return ""
    start = [] if found.before is None else [found.before]
    tested = [*start, *(held_out for _, held_out in found.losses)]
    learned = [loss for loss, _ in found.losses]
    low, high = min(tested + learned), max(tested + learned)
    span = (high - low) or 1.0

    def line(losses: list[float], first: int, colour: str) -> str:
        last = max(len(found.losses), 1)
        points = " ".join(
            f"{50 + 360 * (first + i) / last:.1f},{20 + 140 * (high - loss) / span:.1f}"
            for i, loss in enumerate(losses)
        )
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'

    digits = max(2, 1 - math.floor(math.log10(span)))
    return f"""<h2>Training of generation {found.number}</h2>
<svg viewBox="0 0 420 190" role="img" aria-label="losses by epoch">
<rect x="50" y="20" width="360" height="140" fill="none" stroke="var(--line)"/>
{line(learned, 1, "var(--soft)")}{line(tested, 0 if start else 1, "var(--good)")}
<text x="46" y="24" text-anchor="end">{high:.{digits}f}</text>
<text x="46" y="162" text-anchor="end">{low:.{digits}f}</text>
<text x="410" y="178" text-anchor="end">epoch {len(found.losses)}</text></svg>
<p class="soft">Loss on held-out games (green) and on the positions learned from (grey).</p>"""
