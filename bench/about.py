"""What a result must say of where it was measured: the machine in general terms, and the versions."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from datetime import date
from pathlib import Path
from typing import Any

import zermelo

RESULTS = Path(__file__).parent / "results"


def about(command: str, *packages: str) -> dict[str, Any]:
    """The date, the command, the machine and the versions, as plain data."""
    versions = {"zermelo": zermelo.__version__, **{name: importlib.metadata.version(name) for name in packages}}
    return {
        "date": date.today().isoformat(),
        "command": command,
        "machine": f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        "versions": {"Python": platform.python_version(), **versions},
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def markdown_table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table whose columns also line up as plain text."""
    lines = [headings, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headings))]
    shown = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) + " |" for line in lines]
    shown.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(shown)
