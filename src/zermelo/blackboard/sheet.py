"""Worksheets: exercises as one HTML page to print, and the key with the answers."""

from __future__ import annotations

import html

from zermelo.blackboard import svg
from zermelo.blackboard.exercise import Exercise

STYLE = """body { font: 16px/1.5 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
section { break-inside: avoid; margin-bottom: 2.5rem; } svg { max-width: 100%; height: auto; }
.answer { border-bottom: 1px solid #888; min-height: 2rem; } .key { font-weight: bold; }"""


def sheet(exercises: list[Exercise], key: bool = False, title: str = "Game trees") -> str:
    """The exercises as an HTML page; with `key`, the answers too."""
    parts = []
    for number, asked in enumerate(exercises, 1):
        drawing = svg.draw(asked.drawing, title=f"The tree of exercise {number}")
        answer = f'<p class="key">{html.escape(asked.solution)}</p>' if key else '<p class="answer"></p>'
        parts.append(
            f"<section><h2>{number}. {html.escape(asked.question)}</h2>{drawing}"
            f"<p>Write your answer like this: <code>{html.escape(asked.form)}</code></p>{answer}</section>"
        )
    heading = f"{title}: answers" if key else title
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(heading)}</title>'
        f"<style>{STYLE}</style></head><body><h1>{html.escape(heading)}</h1>{''.join(parts)}</body></html>"
    )
