"""Why this move: the line that the engine expects, how the alternatives fail, and where the values come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.game.features import has_network
from zermelo.lookup.probing import Tables
from zermelo.networks.judgement import judge
from zermelo.search.analysis import Analysis, Move
from zermelo.search.contributions import contributions, has_features
from zermelo.search.wording import Worth, words

if TYPE_CHECKING:
    from zermelo.search.engine.engine import Engine

SHOWN = 10
"""How many moves of a line are shown."""


@dataclass(frozen=True)
class Reason:
    """One move: its value, the line that shows it, and where the value comes from."""

    move: Move
    verdict: str
    line: tuple[str, ...]
    source: str  # "the end of the game", "proof", "evaluation", "quiescence", "table", "endgame table" or "nothing"
    because: str

    def __str__(self) -> str:
        line = " ".join(self.line[:SHOWN]) + (" …" if len(self.line) > SHOWN else "")
        return f"{self.move.name}: {self.verdict}. {line}: {self.because}"


@dataclass(frozen=True)
class Explanation:
    """The answer of `Engine.explain`: the analysis, and the reasons for the move and against the others."""

    analysis: Analysis
    best: Reason
    alternatives: tuple[Reason, ...]
    features: tuple[tuple[str, float], ...]  # the parts of the last position's evaluation, largest first
    work: str

    def __str__(self) -> str:
        game = self.analysis.game
        who = game.player_name(self.analysis.player)
        parts = [f"{who} plays {self.best}"]
        parts += [f"  of that value, {name} {amount:+.3g}" for name, amount in self.features[:3]]
        for other in self.alternatives:
            parts.append(f"not {other}")
        return "\n".join([*parts, self.work])


def explain(engine: Engine, analysis: Analysis, quiescent: int, looked_up: int, endgames: int = 0) -> Explanation:
    """An analysis with several lines, in words."""
    searched = [move for move in analysis.moves if move.value is not None]
    best, *others = [_reason(analysis, move, quiescent, engine.endgames) for move in searched]
    share = f"{analysis.nodes:,} positions to depth {analysis.depth}"
    if analysis.nodes:
        share += f", {looked_up / analysis.nodes:.0%} of them answered by the table"
        if endgames:
            share += f", {endgames / analysis.nodes:.0%} by endgame tables"
        share += f", {quiescent / analysis.nodes:.0%} beyond the horizon"
    return Explanation(analysis, best, tuple(others), _features(analysis, best), f"Searched: {share}.")


def _reason(analysis: Analysis, move: Move, quiescent: int, endgames: Tables | None) -> Reason:
    game, player = analysis.game, analysis.player
    names, s = [], analysis.state
    for a in move.line:
        names.append(game.action_name(s, a))
        s = game.result(s, a)
    value = move.value
    assert isinstance(value, float)
    verdict = analysis.verdict_on(move)
    if game.is_terminal(s):
        return Reason(move, verdict, tuple(names), "the end of the game", "there the game is over.")
    if endgames is not None and s in endgames:
        because = f"from the table: {endgames[s]} for {game.player_name(game.to_move(s))}."
        return Reason(move, verdict, tuple(names), "endgame table", because)
    if move.distance is not None or (analysis.exact and move is analysis.moves[0]):
        return Reason(move, verdict, tuple(names), "proof", "from there on it is proven.")
    evaluated = game.evaluate(s, player)
    final, there = (words(game, Worth(each, player)) for each in (value, evaluated))
    if evaluated == value:
        return Reason(move, verdict, tuple(names), "evaluation", f"there the evaluation says {final}.")
    if analysis.depth == 0:
        because = f"no depth was searched to its end; there the evaluation says {there}."
        return Reason(move, verdict, tuple(names), "nothing", because)
    if len(move.line) < analysis.depth or not quiescent:
        because = f"what follows was found before and kept in the table; there the evaluation says {there}."
        return Reason(move, verdict, tuple(names), "table", because)
    because = f"there the evaluation says {there}, and the exchanges that follow make it {final}."
    return Reason(move, verdict, tuple(names), "quiescence", because)


def _features(analysis: Analysis, best: Reason) -> tuple[tuple[str, float], ...]:
    """The features that make up the evaluation at the end of the line, if the value comes from them."""
    game: Any = analysis.game
    if best.source != "evaluation" or not (has_features(game) or has_network(game)):
        return ()
    s = analysis.state
    for a in best.move.line:
        s = game.result(s, a)
    judgement = judge(game, s, analysis.player) if has_network(game) else None
    found: Any = (
        contributions(game, s, analysis.player) if judgement is None or game.network.added else judgement.features
    )
    parts = [(part.name, part.worth) for part in found]
    if judgement is not None and game.network.added:
        parts = sorted([*parts, ("the network", judgement.advantage)], key=lambda part: -abs(part[1]))
    return tuple(part for part in parts if part[1] != 0)
