"""What a search found: the answer of `analyse`, for programs and for people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.game.protocol import Game
from zermelo.pictures import draw, squares_of
from zermelo.pictures.page import beside, table
from zermelo.search.strategy import Strategy
from zermelo.search.wording import Value, Worth, brief, is_two_sided, show, words


@dataclass(frozen=True)
class Move:
    """One of the root's moves, and what the search found out about it.

    Each algorithm fills in what it knows; the other fields stay at their defaults.

    value        its value; an upper bound if it was pruned; None if it was not searched
    exact        False: the value is an upper bound
    line         the expected play, beginning with this move
    distance     plies to the win or loss
    proven       the value is proven, not estimated
    visits       how often a Monte Carlo search tried it
    share        its share of all visits
    error        the standard error of the value
    prior        its probability before the search, from a policy
    probability  how often to play it, in a mixed strategy
    """

    action: Any
    name: str
    value: Value | None
    exact: bool
    line: tuple[Any, ...] = ()
    distance: int | None = None
    proven: bool = False
    visits: int | None = None
    share: float | None = None
    error: float | None = None
    prior: float | None = None
    probability: float | None = None

    def __str__(self) -> str:
        """The name and the value for the player to move, as plain numbers. `Analysis.verdict_on` has it in words."""
        if self.value is None:
            return f"{self.name}  not searched"
        text = f"{self.name}  {'' if self.exact else '≤ '}{show(self.value)}"
        if self.distance is not None:
            text += f" in {self.distance}"
        if self.error is not None:
            text += f" ± {self.error:.2g}"
        if self.probability is not None:
            text += f", probability {self.probability:.3g}"
        if self.share is not None:
            text += f", {self.share:.0%} of visits"
        if self.prior is not None:
            text += f" (prior {self.prior:.0%})"
        return text

    def to_json(self) -> dict[str, Any]:
        """The move as plain data: its name, value and exactness, and whatever else is known."""
        known = {name: getattr(self, name) for name in OPTIONAL if getattr(self, name) is not None}
        return {"action": self.name, "value": self.value, "exact": self.exact, **known}


OPTIONAL = ("distance", "visits", "share", "error", "prior", "probability")
"""The fields of a move that only some algorithms fill in."""


@dataclass(frozen=True)
class Analysis:
    """The best move in a state, its value, and how it was found. Every algorithm answers with one of these.

    Values are for the player to move at the root (at a chance node, for player 0); for several players they are
    vectors. `exact` says that the value is proven, not estimated.
    """

    game: Game = field(repr=False)
    state: Any = field(repr=False)
    player: int
    action: Any
    value: Value
    exact: bool
    line: tuple[Any, ...]
    moves: tuple[Move, ...]
    nodes: int
    depth: int
    seconds: float
    compile_seconds: float
    algorithm: str
    reason: str
    compiled: bool
    strategy: Strategy | None = None
    distance: int | None = None  # plies to the win or loss, if known
    error: float | None = None  # the standard error of a sampled value
    remarks: tuple[str, ...] = ()  # how far the answer can be trusted, in sentences
    deals: int | None = None  # how many deals were averaged, if something is hidden

    @property
    def verdict(self) -> str:
        """The value in words, in the game's unit and for its first side: see `search/wording.py`."""
        return words(self.game, self.worth)

    def verdict_on(self, move: Move) -> str:
        """The value of one of the moves in words."""
        worth = self.worth_of(move)
        if worth is None:
            return "not searched"
        return words(self.game, worth)

    @property
    def worth(self) -> Worth:
        """The value with all that is needed to word it."""
        sampled = self.deals is not None or any(
            move.visits is not None or move.probability is not None for move in self.moves
        )
        return Worth(self.value, self.player, self.distance, self.exact, sampled, self.error)

    def worth_of(self, move: Move) -> Worth | None:
        """The same for one of the moves; None if it was not searched."""
        if move.value is None:
            return None
        sampled = move.visits is not None or move.probability is not None
        proven = move.proven or (self.exact and move.action == self.action)
        return Worth(move.value, self.player, move.distance, proven, sampled, move.error, not move.exact)

    @property
    def line_names(self) -> tuple[str, ...]:
        """The principal line as people write it."""
        return self.names_of(self.line)

    def names_of(self, line: tuple[Any, ...]) -> tuple[str, ...]:
        """A line from this state as people write it."""
        names, s = [], self.state
        for a in line:
            names.append(self.game.action_name(s, a))
            s = self.game.result(s, a)
        return tuple(names)

    def to_json(self) -> dict[str, Any]:
        """The analysis as plain data: numbers, strings and lists."""
        return {
            "game": self.game.name,
            "player": self.player,
            "action": None if self.action is None else self.game.action_name(self.state, self.action),
            "value": self.value,
            "exact": self.exact,
            "distance": self.distance,
            "verdict": self.verdict,
            "line": list(self.line_names),
            "moves": [move.to_json() for move in self.moves],
            "nodes": self.nodes,
            "depth": self.depth,
            "seconds": self.seconds,
            "compile_seconds": self.compile_seconds,
            "algorithm": self.algorithm,
            "reason": self.reason,
            "remarks": list(self.remarks),
            "deals": self.deals,
            "compiled": self.compiled,
        }

    def _facts(self) -> list[tuple[str, str]]:
        who = self.game.player_name(self.player)
        move = "—" if self.action is None else self.game.action_name(self.state, self.action)
        per_second = self.nodes / max(self.seconds, 1e-9)
        speed = f", {per_second / 1e6:.3g} M/s" if self.seconds > 1e-3 and per_second > 1e4 else ""
        depth = f" to depth {self.depth}" if self.depth else ""
        certainty = "proven" if self.exact else "estimated"
        facts = [
            ("best move", f"{move}  ({who} to move)" if self.action is not None else "chance moves"),
            ("value", f"{self._whose(self.worth)}, {certainty}"),
        ]
        if len(self.line) > 1:
            names = self.line_names
            facts.append(("line", " ".join(names[:12]) + (" …" if len(names) > 12 else "")))
        if len(self.moves) > 1:
            facts.append(
                ("moves", ", ".join(map(self._told, self.moves[:12])) + (" …" if len(self.moves) > 12 else ""))
            )
        mode = "compiled" if self.compiled else "plain Python"
        compiling = f" + {self.compile_seconds:.2g} s to compile" if self.compile_seconds > 0.001 else ""
        facts.append(("search", f"{self.nodes:,} nodes{depth} in {self.seconds:.3g} s{speed}, {mode}{compiling}"))
        facts.append(("algorithm", f"{self.algorithm}: {self.reason}"))
        facts += [("", remark) for remark in self.remarks]
        return facts

    def _told(self, move: Move) -> str:
        text = f"{move.name}  {self.verdict_on(move)}"
        if move.probability is not None:
            text += f", probability {move.probability:.3g}"
        if move.share is not None:
            text += f", {move.share:.0%} of visits"
        return text if move.prior is None else f"{text} (prior {move.prior:.0%})"

    def _whose(self, worth: Worth) -> str:
        """The value in words; a number with the player that it is for."""
        said = words(self.game, worth)
        is_number = is_two_sided(self.game) and any(letter.isdigit() for letter in brief(self.game, worth).split()[0])
        return f"{said} for {self.game.player_name(0)}" if is_number else said

    def __str__(self) -> str:
        facts = self._facts()
        return "\n".join([self.game.title, *(f"  {label:<10} {text}" for label, text in facts)])

    def _repr_html_(self) -> str:
        """For notebooks: the position with the best move marked, what was found, and what each move is worth."""
        facts = table([fact for fact in self._facts() if fact[0] != "moves"], caption=self.game.title)
        columns = {
            "move": [move.name for move in self.moves],
            "value": [self.verdict_on(move) for move in self.moves],
            "visits": ["" if move.share is None else f"{move.share:.0%}" for move in self.moves],
            "prior": ["" if move.prior is None else f"{move.prior:.0%}" for move in self.moves],
            "line": [" ".join(self.names_of(move.line)[:8]) for move in self.moves],
        }
        known = {name: cells for name, cells in columns.items() if any(cells)}
        moves = list(zip(*known.values(), strict=True))
        return beside(self._picture(), facts, table(moves, tuple(known)) if moves else "")

    def _picture(self) -> str:
        own = getattr(self.game, "_repr_svg_", None)  # a tree is its own picture
        if own is not None:
            return str(own())
        marked = () if self.action is None else squares_of(self.game, self.state, self.action)
        return draw(self.game, self.state, marked=marked)
