"""The features of the chess evaluation: their groups, names and numbers.

Every feature is counted for each player, who sees the board from their own side: row 1 is the player's own first row.
"Their" is the opponent's. Each feature has two weights, one for the opening and one for the endgame.
"""

from __future__ import annotations

import functools

KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")

ROWS = tuple(f"row {row}" for row in range(2, 8))
"""The rows of pawns."""

DISTANCES = tuple(f"{steps} {'step' if steps == 1 else 'steps'}" for steps in range(8))

DANGERS = 32
"""The highest degree of danger to a king; it also stands for all that are greater."""


def _squares(kind: str) -> tuple[str, ...]:
    """A kind of piece on 64 squares. The king stands on the files e to h: otherwise the board is mirrored."""
    return tuple(f"{kind} on {'abcdefgh'[i % 8]}{i // 8 + 1}" for i in range(64))


def _each(what: str, items: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{what}, {item}" for item in items)


def _moves(kind: str, most: int) -> tuple[str, ...]:
    return tuple(f"{kind} with {count} {'move' if count == 1 else 'moves'}" for count in range(most + 1))


GROUPS: dict[str, tuple[str, ...]] = {
    "material": ("pawns", "knights", "bishops", "rooks", "queens"),
    "combinations": ("bishop pair", "knight pair", "rook pair", "knights and pawns", "rooks and pawns"),
    "the move": ("the move",),
    "right to castle": ("right to castle",),
    "places": tuple(name for kind in KINDS for name in _squares(kind)),
    "knight moves": _moves("knight", 8),
    "bishop moves": _moves("bishop", 13),
    "rook moves": _moves("rook", 14),
    "queen moves": _moves("queen", 27),
    "pawn structure": (
        "doubled pawns",
        "isolated pawns",
        "isolated pawns on half-open files",
        "backward pawns",
        "backward pawns on half-open files",
        "blocked pawns",
    ),
    "pawns side by side": _each("pawns side by side", ROWS),
    "pawns guarded by pawns": _each("pawns guarded by pawns", ROWS),
    "passed pawns": _each("passed pawn", ROWS),
    "blocked passed pawns": _each("blocked passed pawn", ROWS),
    "passed pawns, next square safe": _each("passed pawn, next square safe", ROWS),
    "passed pawns, path safe": _each("passed pawn, path safe", ROWS),
    "passed pawns, next square guarded": _each("passed pawn, next square guarded", ROWS),
    "passed pawns, own king": _each("passed pawn, own king", DISTANCES),
    "passed pawns, other king": _each("passed pawn, other king", DISTANCES),
    "passed pawns, pieces": (
        "rook behind passed pawn",
        "their rook behind passed pawn",
        "passed pawn that no king can catch",
    ),
    "pieces": (
        "rooks on open files",
        "rooks on half-open files",
        "rooks on the seventh",
        "knight outposts",
        "bishop outposts",
        "knights that reach an outpost",
        "pawns on the bishop's colour",
        "blocked centre pawns on the bishop's colour",
        "minor pieces behind pawns",
        "rooks shut in by the king",
    ),
    "space": ("space", "space behind pawns"),
    "king shelter": tuple(
        f"{'no pawn' if row == 0 else f'pawn on row {row + 1}'} before the king, {file}"
        for file in ("edge file", "second file", "third file", "centre file")
        for row in range(7)
    ),
    "pawn storm": tuple(
        f"{'no pawn of theirs' if row == 0 else f'their pawn on row {row + 1}'} before the king, {state}"
        for state in ("free", "blocked")
        for row in range(7)
    ),
    "king": ("open files at the king", "minor pieces at the king"),
    "danger to the other king": tuple(f"danger {degree} to the other king" for degree in range(1, DANGERS + 1)),
    "safe checks": _each("safe checks", ("by knights", "by bishops", "by rooks", "by queens")),
    "attacks on the king": (
        "knights near the other king",
        "bishops near the other king",
        "rooks near the other king",
        "queens near the other king",
        "attacks next to the other king",
        "weak squares next to the other king",
        "pieces pinned to the other king",
    ),
    "threats by pawns": tuple(f"pawn attacks {kind}" for kind in KINDS[1:5]),
    "threats by minor pieces": tuple(f"minor piece attacks {kind}" for kind in KINDS[:5]),
    "threats by rooks": tuple(f"rook attacks {kind}" for kind in KINDS[:5]),
    "threats": (
        "king attacks weak pieces",
        "hanging pieces",
        "weak pieces attacked, on the move",
        "pawn steps that attack",
        "safe attacks on the queen next move",
        "contested squares",
    ),
}
"""The features of each group, in the order of their numbers. The names of groups are those of `zermelo explain`."""


def _starts() -> dict[str, int]:
    starts, number = {}, 0
    for group, names in GROUPS.items():
        starts[group] = number
        number += len(names)
    return starts


STARTS = _starts()
"""The number of the first feature of each group. A feature's weights are at twice its number, and one more."""

COUNT = sum(map(len, GROUPS.values()))

MATERIAL = STARTS["material"]
COMBINATIONS = STARTS["combinations"]
THE_MOVE = STARTS["the move"]
CASTLING = STARTS["right to castle"]
PLACES = STARTS["places"]
MOVES = (
    0,
    STARTS["knight moves"],
    STARTS["bishop moves"],
    STARTS["rook moves"],
    STARTS["queen moves"],
)
STRUCTURE = STARTS["pawn structure"]
SIDE_BY_SIDE = STARTS["pawns side by side"]
GUARDED = STARTS["pawns guarded by pawns"]
PASSED = STARTS["passed pawns"]
PASSED_BLOCKED = STARTS["blocked passed pawns"]
PASSED_STEP = STARTS["passed pawns, next square safe"]
PASSED_PATH = STARTS["passed pawns, path safe"]
PASSED_SUPPORT = STARTS["passed pawns, next square guarded"]
PASSED_OWN_KING = STARTS["passed pawns, own king"]
PASSED_OTHER_KING = STARTS["passed pawns, other king"]
PASSED_PIECES = STARTS["passed pawns, pieces"]
PIECES = STARTS["pieces"]
SPACE = STARTS["space"]
SHELTER = STARTS["king shelter"]
STORM = STARTS["pawn storm"]
KING_SIDE = STARTS["king"]
DANGER = STARTS["danger to the other king"]
CHECKS = STARTS["safe checks"]
NEAR_KING = STARTS["attacks on the king"]
BY_PAWNS = STARTS["threats by pawns"]
BY_MINORS = STARTS["threats by minor pieces"]
BY_ROOKS = STARTS["threats by rooks"]
THREATS = STARTS["threats"]


@functools.cache
def feature_names() -> tuple[str, ...]:
    """The names of all weights: each feature in the opening and in the endgame."""
    names = [name for group in GROUPS.values() for name in group]
    return tuple(f"{phase}: {name}" for name in names for phase in ("opening", "endgame"))


def feature_groups() -> dict[str, range]:
    """The numbers of the weights of each group."""
    return {group: range(2 * start, 2 * (start + len(GROUPS[group]))) for group, start in STARTS.items()}
