"""The engine's counters, limits and switches: the names of their places in the arrays of a `Memory`."""

from __future__ import annotations

from zermelo.search.bookkeeping import FIRST_COUNTER, FIRST_LIMIT

ESTIMATES, QUIESCENT, TABLE_CUTS, ROOT_SCORE, FIRST_CUTS, CUTS, LEAVES, FROM_TABLES = range(
    FIRST_COUNTER, FIRST_COUNTER + 8
)
COUNTERS_IN_ALL = FROM_TABLES + 1

EXCLUDED, EXTENDED_LIMIT, SALT, ROOT_HINT, DEPTH, LOW, HIGH, METHOD, RECALL = range(FIRST_LIMIT, FIRST_LIMIT + 9)

# A switch is 0 if its technique is off. Some are numbers.
SWITCHES = (
    "table",  # the transposition table
    "strict_depth",  # use only table entries of exactly the depth asked for, so that a fixed depth means what it says
    "table_first",  # enhanced transposition cutoffs: look up all children before searching one
    "promise",  # order moves by the game's `promise`
    "killers",
    "counters",
    "history",
    "scout",  # principal variation search: null windows after the first move
    "quiescence",
    "forcing",  # forcing moves too in the first ply of quiescence
    "forced",  # forced move extension
    "urgent",  # check extension: one ply more if the player to move may not stand pat
    "singular",  # singular extension
    "internal",  # internal iterative deepening: a shallow search first if there is no table entry
    "bounds",  # the game's static bounds
    "safe",  # the game's safe moves
    "cycles",  # a repeated position counts as the end of the game
    "null_move",
    "reductions",
    "futility",
    "probcut",
    "beam",
    "sound",  # none of the five techniques above is on: no pruning can change the value
)
(
    TABLE,
    STRICT_DEPTH,
    TABLE_FIRST,
    PROMISE,
    KILLERS,
    COUNTERS,
    HISTORY,
    SCOUT,
    QUIESCENCE,
    FORCING,
    FORCED,
    URGENT,
    SINGULAR,
    INTERNAL,
    BOUNDS,
    SAFE,
    CYCLES,
    NULL_MOVE,
    REDUCTIONS,
    FUTILITY,
    PROBCUT,
    BEAM,
    SOUND,
) = range(23)
