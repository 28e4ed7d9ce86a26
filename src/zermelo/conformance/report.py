"""What the conformance check found: the findings, the statistics of random play, and the verdict on the evaluation."""

from __future__ import annotations

import dataclasses
import html
import math
import reprlib
from dataclasses import dataclass, field
from typing import Any

from zermelo.conformance.codes import CODES

MOVES_SHOWN = 40


@dataclass(frozen=True)
class Finding:
    """One kind of fault: its first example, and how often it was met."""

    code: str  # stable and short, such as "actions-after-end"
    message: str
    state: Any = None  # where it was first met; None where it concerns no single state
    moves: tuple[str, ...] | None = None  # the names of the moves that lead there from the initial state
    count: int = 1

    @property
    def kind(self) -> str:
        """ "error" where the rules contradict themselves, or "warning"."""
        return CODES[self.code].kind

    @property
    def cure(self) -> str:
        """What usually mends it."""
        return CODES[self.code].cure

    def to_json(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {
            "kind": self.kind,
            "code": self.code,
            "message": self.message,
            "state": None if self.moves is None else shown(self.state),
            "moves": None if self.moves is None else list(self.moves),
            "count": self.count,
            "cure": self.cure,
        }

    def lines(self) -> list[str]:
        """The finding for people: a line of what is wrong, and below it where."""
        often = f", {self.count:,} times" if self.count > 1 else ""
        lines = [f"{self.kind} {self.code}{often}: {self.message}"]
        if self.moves is not None:
            lines += [f"  state  {shown(self.state)}", f"  moves  {self._moves_shown()}"]
        return [*lines, f"  cure   {self.cure}"]

    def _moves_shown(self) -> str:
        moves = self.moves or ()
        if not moves:
            return "none: this is the initial state"
        left_out = f"… ({len(moves) - MOVES_SHOWN:,} moves) … " if len(moves) > MOVES_SHOWN else ""
        return left_out + " ".join(moves[-MOVES_SHOWN:])

    def __str__(self) -> str:
        return "\n".join(self.lines())


@dataclass(frozen=True)
class Statistics:
    """What random play looked like. Lengths are in plies; the throw of a die is one."""

    games: int = 0
    unfinished: int = 0  # games that went on for longer than the check would follow
    mean_length: float = 0.0
    longest: int = 0
    branching_factor: float = 0.0  # legal moves in the mean, where a player moves
    utilities: dict[tuple[float, ...], int] = field(default_factory=dict)  # one number a player, and how often
    distinct_states: int = 0
    compared_games: int = 0  # games played again compiled, and compared
    compared_plies: int = 0
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The statistics as plain data."""
        ends = [{"utilities": [number(u) for u in ends], "games": n} for ends, n in self.utilities.items()]
        return {**{f.name: getattr(self, f.name) for f in dataclasses.fields(self)}, "utilities": ends}


@dataclass(frozen=True)
class Evaluation:
    """What the game's evaluation is worth and costs.

    order         of pairs of ends with different utilities, the share that the evaluation puts in the same order; a tie
                  counts one half
    correlation   with the true outcome (Pearson's), over so many `states`; the truth is known by "search", or
                  estimated by "playouts"
    """

    own: bool = False  # does the game have one of its own?
    order: float | None = None
    correlation: float | None = None
    states: int = 0
    truth: str | None = None
    plain_nanoseconds: float | None = None
    compiled_nanoseconds: float | None = None

    @property
    def orders_terminals(self) -> bool | None:
        """Does it put every pair of ends in the order of their utilities? None where none were to be compared."""
        return None if self.order is None else self.order == 1.0

    def to_json(self) -> dict[str, Any]:
        """The verdict as plain data."""
        return {**dataclasses.asdict(self), "orders_terminals": self.orders_terminals}

    def __str__(self) -> str:
        if not self.own:
            return "none of its own: every state that is not the end counts the same"
        parts = []
        if self.order is not None:
            parts.append("orders all ends as utility does" if self.order == 1 else f"orders {self.order:.0%} of ends")
        if self.truth is None:
            parts.append("no outcomes to compare with")
        elif self.correlation is None:
            parts.append(f"no correlation: it, or the outcome by {self.truth}, is the same in all {self.states} states")
        else:
            parts.append(f"correlation {self.correlation:.2f} with the outcome by {self.truth} ({self.states} states)")
        costs = [(self.plain_nanoseconds, "plain"), (self.compiled_nanoseconds, "compiled")]
        parts += [f"{cost:,.{int(cost < 10)}f} ns {mode}" for cost, mode in costs if cost is not None]
        return ", ".join(parts)


@dataclass(frozen=True)
class Report:
    """The answer of `check`."""

    game: str
    traits: str
    findings: tuple[Finding, ...]
    compiled: bool  # do the rules compile?
    why_plain: str | None  # why they run only as plain Python; None where they compile
    statistics: Statistics
    evaluation: Evaluation

    @property
    def ok(self) -> bool:
        """Are there no errors? Warnings do not count."""
        return not self.errors

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that are errors."""
        return tuple(f for f in self.findings if f.kind == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that are only warnings."""
        return tuple(f for f in self.findings if f.kind == "warning")

    def to_json(self) -> dict[str, Any]:
        """The report as plain data: numbers, strings and lists."""
        return {
            "game": self.game,
            "traits": self.traits,
            "ok": self.ok,
            "findings": [f.to_json() for f in self.findings],
            "compiled": self.compiled,
            "why_plain": self.why_plain,
            "statistics": self.statistics.to_json(),
            "evaluation": self.evaluation.to_json(),
        }

    def _verdict(self) -> str:
        counts = [(len(self.errors), "error"), (len(self.warnings), "warning")]
        found = ", ".join(_count(n, word) for n, word in counts if n)
        return f"{'passes' if self.ok else 'fails'}: {found or 'nothing found'}"

    def _facts(self) -> list[tuple[str, str]]:
        play = self.statistics
        mode = "yes" if self.compiled else f"no: {self.why_plain}"
        if self.compiled and play.compared_games:
            games = _count(play.compared_games, "game")
            mode += f"; {games} ({play.compared_plies:,} plies) compared with plain Python"
        elif self.compiled:
            mode += ", but nothing was compared with plain Python"
        facts = [("verdict", self._verdict()), ("game", self.traits), ("compiled", mode)]
        if play.games:
            unfinished = f", {play.unfinished:,} of them unfinished" if play.unfinished else ""
            lengths = f"{play.mean_length:.1f} plies in the mean, {play.longest:,} at most"
            width = f"{play.branching_factor:.1f} legal moves in the mean; {play.distinct_states:,} states seen"
            facts.append(("random play", f"{_count(play.games, 'game')}{unfinished}, {lengths}; {width}"))
        if play.utilities:
            often = sorted(play.utilities.items(), key=lambda item: -item[1])
            ends = ", ".join(f"({', '.join(f'{u:g}' for u in ends)}) × {n:,}" for ends, n in often[:8])
            facts.append(("ends", ends + (", …" if len(often) > 8 else "")))
        facts.append(("evaluation", str(self.evaluation)))
        return facts

    def __str__(self) -> str:
        facts = [f"  {label:<12} {text}" for label, text in self._facts()]
        findings = [f"  {line}" for finding in self.findings for line in ("", *finding.lines())]
        return "\n".join(line.rstrip() for line in (self.game, *facts, *findings))

    def _repr_html_(self) -> str:
        style = "style='text-align:left;vertical-align:top'"
        rows = [
            f"<tr><th {style}>{html.escape(label)}</th><td {style}>{html.escape(text)}</td></tr>"
            for label, text in self._facts()
        ]
        for finding in self.findings:
            first, *rest = finding.lines()
            more = "".join(f"<br><small>{html.escape(line)}</small>" for line in rest)
            label, _, message = first.partition(": ")
            rows.append(f"<tr><th {style}>{html.escape(label)}</th><td {style}>{html.escape(message)}{more}</td></tr>")
        return f"<table><caption>{html.escape(self.game)}</caption>{''.join(rows)}</table>"


def _count(n: int, word: str) -> str:
    return f"{n:,} {word}{'s' * (n != 1)}"


_shortener = reprlib.Repr()
_shortener.maxtuple = _shortener.maxlist = _shortener.maxdict = _shortener.maxset = _shortener.maxfrozenset = 64
_shortener.maxstring = _shortener.maxother = _shortener.maxlong = 400


def shown(value: Any) -> str:
    """The value as people read it, in one line, whatever its class does."""
    try:
        if getattr(type(value), "__repr__", None) is object.__repr__ and hasattr(value, "__dict__"):
            text = f"{type(value).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(value).items())})"
        else:
            text = repr(value) if isinstance(value, tuple) else _shortener.repr(value)
    except Exception:
        text = f"<{type(value).__name__} that cannot be printed>"
    text = " ".join(text.split())
    return text if len(text) <= 400 else f"{text[:400]}…"


def number(value: float) -> float | str:
    """A number that JSON can hold; a string for those that it cannot."""
    return value if math.isfinite(value) else str(value)
