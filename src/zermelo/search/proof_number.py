"""Proofs: can a player force a win? By depth-first proof-number search, which answers only that question.

It needs a game of one or two sides, without chance and hidden information. A win is the greatest utility. A draw is not
a win, and neither is endless play: a player who can only repeat positions has not forced a win. Games whose rules ask
about the past (`uses_history`) are refused: there, the value of a position depends on the path to it (graph-history
interaction), which the table does not know.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from zermelo.game.errors import CompileError, GameError, StateError, TooDeep, Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of
from zermelo.kernel.routine import why_not_fixed_width
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import PLIES, Stopped, plain_python, run, run_plain
from zermelo.search.bookkeeping import FAULT, NODE_LIMIT, NODES
from zermelo.search.checks import (
    UNLIMITED,
    listed,
    named,
    require_rules,
    require_two_sides,
    time_limit,
    whole_number,
)
from zermelo.search.proof_node import (
    ASK,
    HUGE,
    NEVER,
    OTHER_ENDS,
    ROOT_CHILDREN,
    WORK_LIMIT,
    ProofMemory,
    disproof_in,
    proof_in,
)

PROVEN, DISPROVEN, UNKNOWN = "proven", "disproven", "unknown"
LONGEST_LINE = 200


@dataclass(frozen=True)
class Proof:
    """Whether a player can force a win, and how that was found.

    verdict    "proven", "disproven", or "unknown" if a limit was reached first
    player     the player whose win is in question
    action     the move to play: a winning move, or in a lost position the move that the search found hardest to refute;
               if the verdict is unknown, the most promising move
    line       play that agrees with the verdict, as far as the limits and the table allow
    proof      the least number of positions that must still be proven: 0 if proven, infinite if disproven
    disproof   the least number of positions that must still be disproven
    """

    game: Game = field(repr=False)
    state: Any = field(repr=False)
    player: int
    verdict: str
    action: Any
    line: tuple[Any, ...]
    proof: float
    disproof: float
    nodes: int
    seconds: float
    compile_seconds: float
    compiled: bool

    @property
    def line_names(self) -> tuple[str, ...]:
        """The line as people write it."""
        names, s = [], self.state
        for a in self.line:
            names.append(self.game.action_name(s, a))
            s = self.game.result(s, a)
        return tuple(names)

    def __str__(self) -> str:
        who = self.game.player_name(self.player)
        said = {
            PROVEN: f"{who} can force a win",
            DISPROVEN: f"{who} cannot force a win",
            UNKNOWN: f"can {who} force a win? Unknown: {self.proof:,g} to prove, {self.disproof:,g} to disprove",
        }[self.verdict]
        names = self.line_names
        line = " ".join(names[:12]) + (" …" if len(names) > 12 else "")
        mode = "compiled" if self.compiled else "plain Python"
        effort = f"{self.nodes:,} nodes in {self.seconds:.3g} s, {mode}"
        return f"{self.game.title}: {said}\n  line       {line}\n  search     {effort}"


@dataclass(frozen=True)
class Settled:
    """The value of a position for the player to move, by at most two proofs.

    verdict    "win", "loss", or "draw" if neither side can force a win; "unknown" if a limit was reached first
    value      the utility: the greatest, the least, or half-way between them; None if unknown
    """

    verdict: str
    value: float | None
    action: Any
    line: tuple[Any, ...]
    nodes: int
    seconds: float
    proofs: tuple[Proof, ...] = field(repr=False)


def prove(
    game: Game | str,
    state: Any = None,
    *,
    player: int | None = None,
    table: float = 64,
    nodes: int | None = None,
    seconds: float | None = None,
    compile: bool | None = None,
    history: Iterable[Any] = (),
    stop: StopToken | None = None,
) -> Proof:
    """Can a player force a win from a state? By df-pn (Nagai 2002), until it is known or a limit is reached.

    player    the player whose win is in question; by default the player to move
    table     MiB for the table of proof and disproof numbers
    nodes     the most positions to enter; a position counts each time it is entered
    seconds   the most seconds to search, without compilation
    compile   True, False, or by default if the game's states allow it
    history   the states before this one; accepted as in other searches, without effect here
    stop      a token that ends the search when it is stopped
    """
    return _Question(game, state, player, table, compile, stop).answer(
        whole_number("nodes", nodes), time_limit(seconds)
    )


def solve_by_proof(
    game: Game,
    state: Any = None,
    *,
    table: float = 64,
    nodes: int | None = None,
    seconds: float | None = None,
    compile: bool | None = None,
    stop: StopToken | None = None,
) -> Settled:
    """Win, draw or loss for the player to move: can it force a win, or can the opponent? The limits are for both."""
    nodes, seconds = whole_number("nodes", nodes), time_limit(seconds)
    first = _Question(game, state, None, table, compile, stop)
    low, high = game.utility_bounds(first.player)
    proof = first.answer(nodes, seconds)
    if proof.verdict != DISPROVEN or game.traits.sides < 2:
        verdict, value = ("win", high) if proof.verdict == PROVEN else ("unknown", None)
        return Settled(verdict, value, proof.action, proof.line, proof.nodes, proof.seconds, (proof,))
    opponent = next(p for p in range(game.players) if game.side(p) != game.side(first.player))
    second = _Question(game, first.state, opponent, table, compile, stop)
    left = None if seconds is None else max(seconds - proof.seconds, 1e-6)
    counter = second.answer(None if nodes is None else max(nodes - proof.nodes, 0), left)
    verdict, value = {PROVEN: ("loss", low), DISPROVEN: ("draw", (low + high) / 2), UNKNOWN: ("unknown", None)}[
        counter.verdict
    ]
    if verdict == "draw" and first.memory.counts[OTHER_ENDS] + second.memory.counts[OTHER_ENDS] > 0:
        raise Unsuitable(
            f"{game.title} has more results than win, draw and loss, and neither side can force a win: use alpha-beta "
            "or the engine for its value"
        )
    spent = proof.seconds + counter.seconds
    return Settled(verdict, value, counter.action, counter.line, proof.nodes + counter.nodes, spent, (proof, counter))


class _Question:
    """One question, once it has been checked."""

    def __init__(
        self,
        game: Game | str,
        state: Any,
        player: int | None,
        table: float,
        compile: bool | None,
        stop: StopToken | None = None,
    ):
        self.token = StopToken(stop)
        game = game_of(game)
        require_rules(game)
        require_win_or_loss(game)
        if not isinstance(table, int | float) or not 0 <= table < math.inf:
            raise ValueError(f"table must be a number of MiB of at least 0, not {table!r}")
        self.game = game
        self.state = game.initial() if state is None else game.checked(state)
        if game.is_terminal(self.state):
            worth = ", ".join(f"{game.utility(self.state, p):g}" for p in range(game.players))
            raise StateError(f"the game of {game.title} is over in this state, at ({worth}): there is nothing to prove")
        mover = game.to_move(self.state)
        if not 0 <= mover < game.players:
            raise GameError(f"to_move gives {mover}, but {game.title} has players 0 to {game.players - 1}")
        if player is not None and not (isinstance(player, int) and 0 <= player < game.players):
            raise ValueError(f"player must be a number from 0 to {game.players - 1}, not {player!r}")
        self.player = mover if player is None else player
        self.actions = listed(game, self.state)
        reason = why_not_fixed_width(type(self.state))
        if reason is not None and compile:
            raise CompileError(f"{game.name} cannot be compiled: {reason}")
        self.compiled = reason is None and compile is not False
        self.memory = ProofMemory(game, self.player, table, compiled=self.compiled)

    def answer(self, nodes: int | None, seconds: float | None) -> Proof:
        memory = self.memory
        began = time.perf_counter()
        program = self.program()
        started = time.perf_counter()
        self.deadline = math.inf if seconds is None else started + seconds
        memory.limits[NODE_LIMIT] = UNLIMITED if nodes is None else nodes
        proof, disproof = self.search(program, self.state)
        line: tuple[Any, ...] = ()
        if 0 in (proof, disproof):
            verdict = DISPROVEN if proof else PROVEN
            line = self.line(program, proof == 0)
        else:
            verdict = UNKNOWN
            line = self.most_promising()
        return Proof(
            game=self.game,
            state=self.state,
            player=self.player,
            verdict=verdict,
            action=line[0],
            line=line,
            proof=math.inf if proof == NEVER else proof,
            disproof=math.inf if disproof == NEVER else disproof,
            nodes=int(memory.counts[NODES]),
            seconds=time.perf_counter() - started,
            compile_seconds=started - began,
            compiled=self.compiled,
        )

    def program(self) -> Callable[[Any], Any]:
        if self.compiled:
            return ASK.compiled(self.game, self.memory)
        return lambda state: ASK.run_plain(self.game, state, self.memory)

    def search(self, program: Callable[[Any], Any], state: Any) -> tuple[int, int]:
        """The proof and disproof numbers of a state, as far as the limits allow."""
        memory = self.memory
        memory.counts[ROOT_CHILDREN] = 0
        memory.slots[:] = 0 if self.compiled else [0] * len(memory.slots)
        try:
            data = self.execute(lambda: program(state))
        except Stopped:
            return self.numbers_so_far(state)
        except TooDeep:
            raise TooDeep(
                f"{self.game.title} went on for more than {PLIES - 1:,} plies, or had too many moves on the way: give "
                "nodes or seconds"
            ) from None
        except GameError as error:
            led = [int(a) if self.compiled else a for a in memory.path[: int(memory.counts[FAULT])]]
            raise GameError(f"{self.game.title}, after {named(self.game, state, led)}: {error}") from None
        return proof_in(int(data)), disproof_in(int(data))

    def execute(self, job: Callable[[], Any]) -> Any:
        memory = self.memory
        left = self.deadline - time.perf_counter()
        if left <= 0 or self.token.is_set:
            raise Stopped
        limit = None if left == math.inf else left
        with self.token.watching(memory.stop):
            if self.compiled:
                return run(job, memory.stop, limit)
            memory.stop.deadline = self.deadline
            with plain_python():
                return run_plain(job, memory.stop, limit, self.token)

    def numbers_so_far(self, state: Any) -> tuple[int, int]:
        """The root's numbers, from those of its children, if the search was stopped."""
        memory = self.memory
        count = int(memory.counts[ROOT_CHILDREN])
        if count == 0:
            return 1, 1
        near = min(int(n) for n in memory.near[:count])
        far = min(sum(int(n) for n in memory.far[:count]), HUGE)
        attacking = self.game.side(self.game.to_move(state)) == self.game.side(self.player)
        return (max(near, 1), max(far, 1)) if attacking else (max(far, 1), max(near, 1))

    def children(self) -> list[tuple[Any, int, int]]:
        """The root's moves, each with the number that the mover still needs, and the work spent on it."""
        memory, found = self.memory, []
        for i in range(int(memory.counts[ROOT_CHILDREN])):
            key = int(memory.keys[i])
            work = int(memory.known(key)) & WORK_LIMIT if key else -1
            found.append((int(memory.moves[i]) if self.compiled else memory.moves[i], int(memory.near[i]), work))
        return found

    def most_promising(self) -> tuple[Any, ...]:
        children = self.children()
        return (min(children, key=lambda child: child[1])[0] if children else self.actions[0],)

    def line(self, program: Callable[[Any], Any], won: bool) -> tuple[Any, ...]:
        """Play that agrees with the verdict: each position on the way is searched again, which the table makes fast."""
        game, s = self.game, self.state
        line: list[Any] = []
        seen = set()
        while True:
            attacking = game.side(game.to_move(s)) == game.side(self.player)
            children = self.children()
            if attacking == won:
                a = next(a for a, near, _ in children if near == 0)
            else:
                a = max(children, key=lambda child: child[2])[0] if children else listed(game, s)[0]
            line.append(a)
            seen.add(s)
            s = game.result(s, a)
            if game.is_terminal(s) or s in seen or len(line) >= LONGEST_LINE:
                return tuple(line)
            proof, disproof = self.search(program, s)
            if (proof if won else disproof) != 0:
                return tuple(line)


def require_win_or_loss(game: Game) -> None:
    """Raise Unsuitable if proof numbers cannot decide the game."""
    require_two_sides("proof-number search", game)
    traits = game.traits
    if traits.uses_history:
        raise Unsuitable(
            f"proof-number search does not suit {game.title}: its rules ask about the past (uses_history), so the "
            "value of a position depends on the path to it, which the table does not know"
        )
    if not all(abs(bound) < math.inf for bound in traits.utility_range):
        raise Unsuitable(
            f"proof-number search does not suit {game.title}: a win is the greatest utility, and it "
            "declares no utility_range"
        )
