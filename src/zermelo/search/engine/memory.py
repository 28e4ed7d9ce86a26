"""What the engine remembers while it thinks: counters and limits, the table, the order of moves, the lines of play."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.kernel.history import forget, remember
from zermelo.kernel.ordinals import ordinal, signed
from zermelo.lookup.probing import Prober
from zermelo.search.bookkeeping import FAULT, integers
from zermelo.search.engine.ordering import Ordering
from zermelo.search.engine.ranges import Ranges
from zermelo.search.engine.reductions import late_move_reductions
from zermelo.search.engine.scores import TOP, UNKNOWN
from zermelo.search.engine.switches import COUNTERS_IN_ALL, EXCLUDED, SALT, SWITCHES, TABLE
from zermelo.search.engine.table import GOLDEN, LEAST_WORK, SMALLEST, WORD, Table, room_for

TOO_MANY = "more legal moves than the game's max_actions (256 if it declares none)"
EVALUATED = 1 << 15
"""How many evaluations are remembered."""
LINE_NUMBERS = 1 << 21
"""The most moves that the table of principal variations holds; very deep searches keep the beginning of each line."""


class Memory(Ranges, Ordering, Table):
    """The memory of one thread. Several threads may share the transposition table.

    counts     see `switches`
    limits     EXCLUDED (how many root moves are left out), EXTENDED_LIMIT (no extensions from this ply on), SALT (mixed
               into the keys if the players see different values), ROOT_HINT (1 if `first` holds the move to try
               first); and the question: DEPTH, LOW and HIGH (the window), METHOD, RECALL (1 to store the known
               positions in the table first)
    switches   [switch] is its technique on?
    moves      [ply][i] the i-th legal move at that ply; order and rank_of hold what it is sorted by
    sorted_moves  [ply][i] places of the moves at that ply that were not picked singly, the best first
    reductions [depth][place] late move reductions
    cutting    [ply] 1 if a cutoff is expected at that ply: the node was reached by a null window after a first move
    estimated  [ply] the static evaluation of the node at that ply, as the first player's score, or UNKNOWN
    line       [ply][i] the i-th move of the best line found from that ply on; [length[ply]] moves of it are known
    excluded   root moves to leave out, for the second-best line and so on
    first      [0] the root's best move so far
    prober     endgame tables, if `has_endgames`
    keys       the keys of a node's children, while they are looked up
    evaluated  key and static evaluation of positions, if `remembers_evaluations` and there is a table

    A search without a `horizon` goes to the end of the game. Its program leaves out all that horizons need.
    """

    def __init__(
        self,
        game: Game,
        table: Table | None,
        mebibytes: float,
        *,
        compiled: bool,
        plies: int,
        horizon: bool = True,
        prober: Prober | None = None,
    ):
        super().__init__(
            compiled=compiled, plies=plies, counters=COUNTERS_IN_ALL, limits=[0, plies, 0, 0, 1, -TOP, TOP, 0, 0]
        )
        self.horizon = horizon
        self.has_endgames = prober is not None
        self.prober = prober or Prober(1, [], 0)
        self._set_ranges(game, compiled)
        self._set_ordering(compiled, plies)
        self._note_methods(game)
        if table is None:
            self.entries, buckets = room_for(mebibytes, compiled)
            self.policy = integers([1, LEAST_WORK, min(SMALLEST, buckets - 1), 0, buckets - 1], compiled)
            self.known = np.zeros((0, 2), np.int64) if compiled else []
        else:
            self.entries, self.policy, self.known = table.entries, table.policy, table.known
        moves: Any = np.int64 if compiled else object
        width = game.max_actions or 256
        self.switches = integers([0] * len(SWITCHES), compiled)
        self.moves = np.zeros((plies + 1, width), moves)
        self.order = np.zeros((plies + 1, width), np.float64)
        self.sorted_moves = np.zeros((plies + 1, width), np.int64)
        self.rank_of = np.zeros((plies + 1, width), np.int64)
        self.reductions = late_move_reductions()
        self.cutting = integers([0] * (plies + 2), compiled)
        self.estimated = integers([UNKNOWN] * (plies + 1), compiled)
        self.line = np.zeros((plies + 2, min(plies, LINE_NUMBERS // (plies + 1))), moves)
        self.length = np.zeros(plies + 3, np.int64)
        self.excluded = np.zeros(width, moves)
        self.keys = integers([0] * width, compiled)
        self.first = np.zeros(1, moves)
        self.evaluated = np.zeros(2 * EVALUATED if self.remembers_evaluations else 2, np.int64)

    def _note_methods(self, game: Game) -> None:
        """Note which optional methods the game has: the compiler leaves out what needs the others."""
        self.has_bounds = game.offers("bounds")
        self.has_safe_actions = bool(game.offers("safe_actions") and self.decisive)
        self.has_noisy_actions = game.offers("noisy_actions")
        self.has_evaluation = game.offers("evaluate")
        self.remembers_evaluations = bool(self.has_evaluation and self.horizon and game.costly_evaluation)
        self.has_promise = game.offers("promise") or self.has_evaluation
        self.has_may_stand = game.offers("may_stand")
        self.has_forcing_actions = game.offers("forcing_actions")
        self.has_move_kind = game.offers("move_kind")
        self.has_gain = game.offers("gain")
        self.has_probcut = game.offers("probcut")
        self.has_recurs = bool(game.uses_history and game.offers("recurs"))

    # Nodes.

    def visit(self, game: Any, s: Any, ply: int) -> None:
        """The search enters a node."""
        self.count_node(ply)
        self.length[ply] = 0
        remember(game, s)

    def leave(self, game: Any, score: int) -> int:
        """The search leaves a node with this score; returns the score."""
        forget(game)
        return score

    def enter_again(self, game: Any, s: Any, ply: int) -> None:
        """The search returns to a node that it has left to search it in another way first."""
        remember(game, s)
        self.length[ply] = 0

    def overflow(self, ply: int) -> None:
        """Report more legal moves at this ply than there is room for."""
        self.counts[FAULT] = ply
        raise GameError(TOO_MANY)

    # Evaluations.

    def place_of(self, word: int) -> int:
        """The place of a remembered evaluation, by the position's key."""
        return 2 * (((word * GOLDEN) & WORD) >> 40 & (EVALUATED - 1))

    def estimate_of(self, game: Any, s: Any, player: int, ply: int) -> int:
        """The static evaluation for the first player. A costly one is remembered: a quarter of them is needed again."""
        if not self.remembers_evaluations or self.switches[TABLE] == 0:
            return ordinal(self.finite(game.evaluate(s, player), ply))
        known = self.evaluated
        word = game.key(s) ^ self.limits[SALT]
        place, key = self.place_of(word), signed(word)
        if known[place] == key and key != 0:
            return int(known[place + 1])
        score = ordinal(self.finite(game.evaluate(s, player), ply))
        known[place] = key
        known[place + 1] = score
        return score

    def forget_evaluations(self) -> None:
        """Forget all evaluations, as if a position were evaluated for the first time."""
        self.evaluated[:] = 0

    # Lines.

    def prefer(self, ply: int, a: Any) -> None:
        """The principal variation from this ply on goes through this move."""
        row = self.line[ply]
        rest = self.line[ply + 1]
        row[0] = a
        known = min(self.length[ply + 1], len(row) - 1)
        for i in range(known):
            row[i + 1] = rest[i]
        self.length[ply] = known + 1

    def is_excluded(self, a: Any) -> bool:
        """Is this root move left out?"""
        for i in range(self.limits[EXCLUDED]):  # noqa: SIM110 - compiled
            if self.excluded[i] == a:
                return True
        return False
