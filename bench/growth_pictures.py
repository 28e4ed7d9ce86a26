"""The pictures and tables of docs/growth.md, from what growth.py has measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from about import markdown_table
from growth import leaves_in_best_order, pearl_exponent
from matplotlib import pyplot as plt
from matplotlib.ticker import MaxNLocator

DOCS = Path(__file__).parent.parent / "docs"
BLUE, ORANGE, GREEN, RED, PURPLE, GREY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#aa4499", "#777777"

STYLE = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "font.size": 10,
    "axes.titlesize": 10.5,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "svg.hashsalt": "zermelo",  # the same data give the same file
}


def draw(found: dict[str, Any], suffix: str = "svg", folder: Path = DOCS / "pictures") -> list[Path]:
    """Draw all pictures; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    with plt.rc_context(STYLE):
        for name, picture in PICTURES.items():
            figure = picture(found)
            path = folder / f"growth_{name}.{suffix}"
            options = {"metadata": {"Date": None}} if suffix == "svg" else {"dpi": 110}
            figure.savefig(path, bbox_inches="tight", **options)
            plt.close(figure)
            paths.append(path)
    return paths


# The pictures.


def draw_leaves(found: dict[str, Any]) -> Any:
    """Leaves against depth, one panel for each of three branchings."""
    chosen = [row for row in found["orders"] if row["branching"] in (2, 4, 8)]
    figure, panels = plt.subplots(1, len(chosen), figsize=(10, 4.1), sharey=True)
    for axes, row in zip(panels, chosen, strict=True):
        b = row["branching"]
        for name, label, colour, marker in (
            ("minimax", "minimax: all leaves", GREY, "s"),
            ("worst", "alpha-beta, worst first", RED, "v"),
            ("random", "alpha-beta, random order", BLUE, "o"),
            ("best", "alpha-beta, best first", GREEN, "^"),
        ):
            axes.plot(row[name]["depths"], row[name]["leaves"], marker, color=colour, label=label)
        longest = np.array(row["random"]["depths"])
        shown = np.linspace(1, longest[-1], 100)
        axes.plot(shown, float(b) ** shown, color=GREY, linewidth=1)
        axes.plot(shown, b ** (0.75 * shown), color=BLUE, linewidth=1, linestyle="--", label="$b^{3m/4}$")
        exact = [leaves_in_best_order(b, int(m)) for m in longest]
        axes.plot(longest, exact, color=GREEN, linewidth=1, label=r"$b^{⌈m/2⌉}+b^{⌊m/2⌋}-1$")
        axes.set_yscale("log")
        axes.set_ylim(0.8, 3e7)
        axes.set_xlabel("depth m, plies")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(f"branching b = {b}")
    panels[0].set_ylabel("leaves looked at")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=3, bbox_to_anchor=(0.5, 0.03))
    figure.tight_layout()
    return figure


def draw_exponents(found: dict[str, Any]) -> Any:
    """The fitted powers of b^m against the branching."""
    rows = found["orders"]
    branchings = [row["branching"] for row in rows]
    figure, axes = plt.subplots(figsize=(7.2, 4.4))
    smooth = np.geomspace(2, 40, 60)
    limits = [pearl_exponent(float(b)) for b in smooth]

    def points(name: str, kind: str, **options: Any) -> None:
        axes.plot(branchings, [row[name][kind] for row in rows], linestyle="none", **options)

    axes.axhline(1.0, color=GREY, linewidth=1, label="no pruning, 1")
    points("worst", "slope", marker="v", color=RED, label="worst first")
    axes.axhline(0.75, color=BLUE, linewidth=1, linestyle="--", label="the textbook's 3/4, random order")
    points("random", "point", marker="o", color=BLUE, fillstyle="none", label="random order, the whole search")
    points("random", "slope", marker="o", color=BLUE, label="random order, one more ply")
    axes.plot(smooth, limits, color=BLUE, linewidth=1, label="random order, Pearl's limit")
    points("shuffled", "slope", marker="D", color=PURPLE, label="random order, values handed down")
    points("best", "slope", marker="^", color=GREEN, label="best first")
    axes.axhline(0.5, color=GREEN, linewidth=1, linestyle="--", label="the best there can be, 1/2")
    axes.set_xscale("log", base=2)
    axes.set_xticks(branchings, [str(b) for b in branchings])
    axes.minorticks_off()
    axes.set_ylim(0.45, 1.04)
    axes.set_xlabel("branching b")
    axes.set_ylabel("power of $b^m$")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def draw_correlation(found: dict[str, Any]) -> Any:
    """The fitted powers against the correlation of the leaves, by order."""
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True)
    for axes, b in zip(panels, (4, 8), strict=True):
        for order, label, colour, marker in (
            ("worst first", "worst looking first", RED, "v"),
            ("natural", "random order", BLUE, "o"),
            ("best first", "best looking first", GREEN, "^"),
        ):
            rows = [r for r in found["correlation"] if r["branching"] == b and r["order"] == order]
            xs, ys = [r["correlation"] for r in rows], [r["slope"] for r in rows]
            axes.plot(xs, ys, marker + "-", color=colour, label=label)
        for height, text in ((0.75, "3/4"), (0.5, "1/2")):
            axes.axhline(height, color=GREY, linewidth=1, linestyle="--")
            axes.text(1.06, height, text, va="center", color=GREY, clip_on=False)
        axes.set_xscale("symlog", linthresh=0.01)
        axes.set_xlim(-0.002, 1.02)
        axes.set_xticks([0, 0.01, 0.05, 0.25, 0.5, 1], ["0", "0.01", "0.05", "0.25", "0.5", "1"])
        axes.minorticks_off()
        axes.set_ylim(0.45, 1.0)
        axes.set_xlabel("correlation of the leaves")
        axes.set_title(f"branching b = {b}")
    panels[0].set_ylabel("power of $b^m$")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=3, bbox_to_anchor=(0.5, 0.03))
    figure.tight_layout()
    return figure


def draw_chance(found: dict[str, Any]) -> Any:
    """Expectiminimax against (b·n)^m, and the share of the leaves that Star1 and Star2 look at."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 4.2), gridspec_kw={"width_ratios": (1, 1.25)})
    colours = (GREEN, ORANGE, BLUE, PURPLE, RED)
    for row, colour in zip(found["chance"]["growth"], colours, strict=True):
        b, n = row["branching"], row["outcomes"]
        left.plot(row["moves"], row["expectiminimax"], "o", color=colour, label=f"b = {b}, n = {n}")
        shown = np.linspace(1, row["moves"][-1], 20)
        left.plot(shown, float(b * n) ** shown, color=colour, linewidth=1)
    left.set_yscale("log")
    left.set_xticks(range(1, 12, 2))
    left.set_xlabel("moves m, with a throw of n outcomes after each")
    left.set_ylabel("leaves looked at")
    left.set_title("expectiminimax; the lines are $(b·n)^m$")
    left.legend(loc="lower right")

    shares = found["chance"]["shares"]
    shapes = list(dict.fromkeys((s["branching"], s["outcomes"], s["plies"]) for s in shares))
    trees = list(dict.fromkeys(s["tree"] for s in shares))
    markers = ((BLUE, "o"), (ORANGE, "s"), (GREEN, "^"))
    for (colour, marker), tree in zip(markers, trees, strict=True):
        rows = [s for s in shares if s["tree"] == tree]
        xs = np.arange(len(rows))
        right.plot(
            xs - 0.12, [r["star1"] for r in rows], marker, color=colour, fillstyle="none", label=f"Star1, {tree}"
        )
        right.plot(xs + 0.12, [r["star2"] for r in rows], marker, color=colour, label=f"Star2, {tree}")
    right.axhline(1.0, color=GREY, linewidth=1)
    right.set_yscale("log")
    right.set_yticks([0.05, 0.1, 0.2, 0.5, 1], ["5 %", "10 %", "20 %", "50 %", "100 %"])
    right.minorticks_off()
    right.set_xticks(range(len(shapes)), [f"b = {b}\nn = {n}\n{plies} plies" for b, n, plies in shapes])
    right.set_title("share of all leaves that pruning still looks at")
    handles, labels = right.get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=3, bbox_to_anchor=(0.5, 0.02))
    figure.tight_layout()
    return figure


def draw_memory(found: dict[str, Any]) -> Any:
    """Bytes against depth: what the search takes, and what the tree would take."""
    figure, axes = plt.subplots(figsize=(7.2, 4.2))
    styles = {2: (BLUE, "o"), 8: (ORANGE, "x"), 32: (RED, "+")}
    for b, (colour, marker) in styles.items():
        rows = [r for r in found["memory"] if r["branching"] == b]
        stack = [r["stack"] + r["tables"] for r in rows]
        size = {"o": 9, "x": 7, "+": 8}[marker]
        fill = "none" if marker == "o" else "full"
        label = f"stack and tables, b = {b}"
        axes.plot([r["depth"] for r in rows], stack, marker, color=colour, markersize=size, fillstyle=fill, label=label)
    rows = [r for r in found["memory"] if r["branching"] == 2]
    depths = [r["depth"] for r in rows]
    axes.plot(
        depths, [r["principal line"] for r in rows], "s-", color=GREY, linewidth=1, label="principal lines, any b"
    )
    shown = np.geomspace(10, 9000, 40)
    axes.plot(shown, 600 * shown, color=BLUE, linewidth=1, label="600 m bytes")
    for b, colour in ((2, BLUE), (8, ORANGE)):
        plies = np.linspace(1, 40 if b == 2 else 14, 40)
        states = STATE_BYTES * float(b) ** plies
        axes.plot(plies, states, color=colour, linestyle="--", linewidth=1.2, label=f"the tree's leaves, b = {b}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(500, 1e12)
    axes.set_xlim(3, 14000)
    axes.set_yticks([1e3, 1e6, 1e9, 1e12], ["1 kB", "1 MB", "1 GB", "1 TB"])
    axes.set_xlabel("depth m, plies")
    axes.set_ylabel("memory")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


STATE_BYTES = 18
"""What one state of a random tree holds: a seed, a value and a ply."""

PICTURES = {
    "leaves": draw_leaves,
    "exponents": draw_exponents,
    "correlation": draw_correlation,
    "chance": draw_chance,
    "memory": draw_memory,
}


# The tables.


def write_tables(found: dict[str, Any], page: Path = DOCS / "growth.md") -> Path:
    """Put the tables between their markers in the page."""
    text = page.read_text()
    for name, table in tables(found):
        pattern = rf"(<!-- table: {name} -->\n).*?(<!-- end -->)"
        text, count = re.subn(pattern, lambda m, table=table: f"{m[1]}{table}\n{m[2]}", text, flags=re.DOTALL)
        if count != 1:
            raise SystemExit(f"{page.name} has {count} places for the table {name!r}, not 1")
    page.write_text(text)
    return page


def tables(found: dict[str, Any]) -> Iterator[tuple[str, str]]:
    seeds = f"{found['seeds']} trees for each figure that varies from tree to tree"
    yield "about", f"Measured on {found['date']}, {seeds}; {found['machine']}."
    yield "orders", orders_table(found["orders"])
    yield "correlation", correlation_table(found["correlation"])
    yield "expectiminimax", expectiminimax_table(found["chance"]["growth"])
    yield "stars", stars_table(found["chance"]["shares"])
    yield "memory", memory_table(found["memory"])


def orders_table(rows: list[dict[str, Any]]) -> str:
    headings = (
        "b",
        "m up to",
        "minimax",
        "best first",
        "random order",
        "Pearl's limit",
        "random, whole",
        "worst first",
    )
    cells = []
    for row in rows:
        slopes = [row[name]["slope"] for name in ("minimax", "best", "random")]
        last = [row["pearl"], row["random"]["point"], row["worst"]["slope"]]
        shown = [f"{x:.3f}" for x in slopes + last]
        cells.append((str(row["branching"]), str(row["random"]["depths"][-1]), *shown))
    return markdown_table(headings, cells)


def correlation_table(rows: list[dict[str, Any]]) -> str:
    headings = ("b", "correlation", "best looking first", "random order", "worst looking first")
    found = {(r["branching"], r["correlation"], r["order"]): r["slope"] for r in rows}
    cells = [
        (str(b), f"{c:g}", *(f"{found[b, c, order]:.3f}" for order in ("best first", "natural", "worst first")))
        for b, c in dict.fromkeys((r["branching"], r["correlation"]) for r in rows)
    ]
    return markdown_table(headings, cells)


def expectiminimax_table(rows: list[dict[str, Any]]) -> str:
    headings = ("b", "n", "m", "(b·n)^m", "expectiminimax", "power of (b·n)^m", "Star1")
    cells = []
    for row in rows:
        b, n, m = row["branching"], row["outcomes"], row["moves"][-1]
        numbers = [(b * n) ** m, row["expectiminimax"][-1]]
        shown = [f"{x:,.0f}" for x in numbers]
        cells.append((str(b), str(n), str(m), *shown, f"{row['slope']:.3f}", f"{row['star1'][-1]:,.0f}"))
    return markdown_table(headings, cells)


def stars_table(rows: list[dict[str, Any]]) -> str:
    trees = list(dict.fromkeys(r["tree"] for r in rows))
    headings = ("b", "n", "plies", "leaves", *trees)
    cells = []
    for b, n, plies in dict.fromkeys((r["branching"], r["outcomes"], r["plies"]) for r in rows):
        chosen = [r for r in rows if (r["branching"], r["outcomes"], r["plies"]) == (b, n, plies)]
        shown = [f"{r['star1']:.0%}, {r['star2']:.0%}" for r in chosen]
        cells.append((str(b), str(n), str(plies), f"{chosen[0]['leaves']:,}", *shown))
    return markdown_table(headings, cells)


def memory_table(rows: list[dict[str, Any]]) -> str:
    headings = ("m", "stack, b = 2", "stack, b = 32", "stack a ply", "other tables", "principal lines", "leaves, b = 2")
    cells = []
    for row in (r for r in rows if r["branching"] == 2):
        m = row["depth"]
        wide = next(r for r in rows if r["branching"] == 32 and r["depth"] == m)
        kilobytes = [f"{x / 1024:,.0f} kB" for x in (row["stack"], wide["stack"])]
        rest = [f"{x / 1024:,.1f} kB" for x in (row["tables"], row["principal line"])]
        leaves = f"{2**m:,}" if m < 50 else f"about 10^{m * np.log10(2):.0f}"
        cells.append((f"{m:,}", *kilobytes, f"{row['stack'] / m:,.0f} bytes", *rest, leaves))
    return markdown_table(headings, cells)
