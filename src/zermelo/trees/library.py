"""The trees of the textbook's chapter and of courses built on it, by name, each with its question and its answer.

The answer is in words for people, and in `checks` for the tests, which run the real algorithms. The trees are
written in the notation of `parse`; leaves are counted from 1, moves from 0, both from left to right.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field

from zermelo.game.errors import UnknownName
from zermelo.trees.building import ParsedTree
from zermelo.trees.formats import parse
from zermelo.trees.tree import Number, Tree

TEXTBOOK = "Russell and Norvig, Artificial Intelligence: A Modern Approach, 4th edition"
COURSE = "an exercise of a course on the textbook's chapter 5"


@dataclass(frozen=True)
class Check:
    """The expected result of an algorithm; None means not checked."""

    algorithm: str
    value: Number | tuple[Number, ...]  # MAX's value, even if MIN moves at the root, as on the blackboard
    action: int | None = None
    pruned: tuple[int, ...] | None = None  # the leaves that are never seen
    moves: tuple[Number, ...] | None = None  # what each of the root's moves is worth, to MAX again
    given: dict[str, Number] = field(default_factory=dict)  # the unknown leaves' values


@dataclass(frozen=True)
class NamedTree:
    """A tree with its name, question, answer and source."""

    name: str
    title: str
    text: str
    question: str
    answer: str
    source: str
    checks: tuple[Check, ...]

    @property
    def tree(self) -> ParsedTree:
        """The tree itself."""
        return parse(self.text)

    def to_game(self, **values: Number) -> Tree:
        """The game, its unknown leaves given their values by name."""
        return self.tree.to_game(**values)


def names() -> list[str]:
    """The names of the trees in the library."""
    return list(LIBRARY)


def named(name: str) -> NamedTree:
    """The tree of that name."""
    wanted = "-".join(name.casefold().replace("_", " ").split())
    if wanted not in LIBRARY:
        near = difflib.get_close_matches(wanted, LIBRARY, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise UnknownName(f"there is no tree {name!r}; {hint}there are {', '.join(LIBRARY)}")
    return LIBRARY[wanted]


_TREES = (
    NamedTree(
        "fig-5.2",
        "The two-ply tree",
        "[a1: [3, 12, 8], a2: [2, 4, 6], a3: [14, 5, 2]]",
        "What is the root worth, which move is best, and which leaves does alpha-beta never look at?",
        "3, by the first move; alpha-beta never looks at the 4 and the 6, so it sees 7 leaves of 9.",
        f"{TEXTBOOK}, Figures 5.2 and 5.5",
        (Check("minimax", 3, 0, moves=(3, 2, 2)), Check("alpha_beta", 3, 0, pruned=(5, 6))),
    ),
    NamedTree(
        "fig-5.2-best-order",
        "The two-ply tree, its third node in the best order",
        "[[3, 12, 8], [2, 4, 6], [2, 5, 14]]",
        "How many leaves does alpha-beta see when the best moves come first?",
        "5 of 9: all of the first node's, and one each of the others'.",
        f"{TEXTBOOK}, the section on move ordering",
        (Check("alpha_beta", 3, 0, pruned=(5, 6, 8, 9)),),
    ),
    NamedTree(
        "fig-5.2-x",
        "The two-ply tree with an unknown leaf",
        "[[3, 12, 8], [x, 4, 6], [14, 5, 2]]",
        "For which x are the 4 and the 6 pruned, and for which x does the best move change?",
        "They are pruned for x ≤ 3 (cutting at ≤), and the root is worth 3; for x > 3 the second move is best.",
        COURSE,
        (
            Check("alpha_beta", 3, 0, pruned=(5, 6), given={"x": 2}),
            Check("alpha_beta", 3, 0, pruned=(5, 6), given={"x": 3}),
            Check("alpha_beta", 3.5, 1, pruned=(), given={"x": 3.5}),
            Check("alpha_beta", 4, 1, pruned=(), given={"x": 5}),
        ),
    ),
    NamedTree(
        "second-move",
        "The second move is best",
        "[[3, 12, 8], [5, 4, 6], [14, 1, 11]]",
        "What is the root worth, and what is pruned?",
        "4, by the second move; the 11 is pruned.",
        COURSE,
        (Check("minimax", 4, 1), Check("alpha_beta", 4, 1, pruned=(9,))),
    ),
    NamedTree(
        "third-move",
        "The third move is best",
        "[[10, 8, 3], [2, 15, 7], [6, 5, 4]]",
        "What is the root worth, and what is pruned?",
        "4, by the third move; the 15 and the 7 are pruned.",
        COURSE,
        (Check("minimax", 4, 2), Check("alpha_beta", 4, 2, pruned=(5, 6))),
    ),
    NamedTree(
        "third-move-expectimax",
        "The same against an opponent who moves at random",
        "MAX[CHANCE[10, 8, 3], CHANCE[2, 15, 7], CHANCE[6, 5, 4]]",
        "What is the root worth if MIN chooses at random, and what can be pruned?",
        "The moves are worth 7, 8 and 5, so 8, by the second; nothing can be pruned without bounds on utility.",
        COURSE,
        (Check("expectiminimax", 8, 1, pruned=(), moves=(7, 8, 5)),),
    ),
    NamedTree(
        "three-levels",
        "MAX of MIN of MAX",
        "[[[3, 9], [10, 6]], [[4, 7], [0, 5]]]",
        "What is the root worth, and what is pruned?",
        "9, by the first move; the 6, the 0 and the 5 are pruned.",
        COURSE,
        (Check("minimax", 9, 0), Check("alpha_beta", 9, 0, pruned=(4, 7, 8))),
    ),
    NamedTree(
        "tie-trap",
        "The tie trap",
        "[[10], [10, 0]]",
        "Which move is best, and what does alpha-beta know of the other?",
        "The first, 10. The second's 0 is pruned at ≤, so it looks like 10 too: a careless >= at the root picks it.",
        COURSE,
        (Check("alpha_beta", 10, 0, pruned=(3,)), Check("minimax", 10, 0, moves=(10, 0))),
    ),
    NamedTree(
        "weights",
        "A chance node with three outcomes",
        "{1/2: 8, 1/3: 24, 1/6: -12}",
        "What is the chance node worth?",
        "8/2 + 24/3 − 12/6 = 10.",
        COURSE,
        (Check("expectiminimax", 10, pruned=()),),
    ),
    NamedTree(
        "coin",
        "A coin between MAX and MIN",
        "MAX[{1/2: MIN[2, 4], 1/2: MIN[7, 4]}, {1/2: MIN[6, 0], 1/2: MIN[5, -2]}]",
        "What are the two moves worth?",
        "3 and −1: the first is best.",
        f"{TEXTBOOK}, the section on stochastic games, and {COURSE}",
        (Check("expectiminimax", 3, 0, moves=(3, -1)),),
    ),
    NamedTree(
        "coin-bounded",
        "A coin, with utilities known to lie in [−2, 2]",
        "range: -2 .. 2\nMAX[{1/2: MIN[2, 2], 1/2: MIN[1, 2]}, {1/2: MIN[0, 2], 1/2: MIN[-1, 0]}]",
        "Which leaves need not be seen?",
        "1.5 against −0.5; after the 0, the second move is worth at most 1: leaves 6, 7 and 8 need not be seen.",
        f"{TEXTBOOK}, the argument for pruning at chance nodes",
        (
            Check("expectiminimax", 1.5, 0, moves=(1.5, -0.5)),
            Check("star1", 1.5, 0, pruned=(6, 7, 8)),
            Check("star2", 1.5, 0, pruned=(6, 7, 8)),
        ),
    ),
    NamedTree(
        "coin-weighted",
        "An uneven coin, with utilities in [0, 10]",
        "range: 0 .. 10\nMAX[{7/10: MIN[9, 10], 3/10: MIN[9, 7]}, {7/10: MIN[2, 10], 3/10: MIN[5, 8]}]",
        "What is the root worth, and which leaves are never seen?",
        "8.4; in the right half the 10, the 5 and the 8 are never seen.",
        COURSE,
        (
            Check("expectiminimax", 8.4, 0),
            Check("star1", 8.4, 0, pruned=(6, 7, 8)),
            Check("star2", 8.4, 0, pruned=(6, 7, 8)),
        ),
    ),
    NamedTree(
        "two-unknowns",
        "Two leaves that cannot matter",
        "[[200, 100], [20, x, y]]",
        "What is the root worth, whatever x and y are?",
        "100, by the first move: MIN has 20 in the second, MAX has 100 elsewhere, and both are pruned.",
        COURSE,
        (
            Check("alpha_beta", 100, 0, pruned=(4, 5), given={"x": 7, "y": 1000}),
            Check("alpha_beta", 100, 0, pruned=(4, 5), given={"x": -1000, "y": -1000}),
        ),
    ),
    NamedTree(
        "beta-cut",
        "A cut the other way up",
        "first: MIN\n[[20], [25, x]]",
        "MIN has 20 in hand and meets 25 below MAX. Does x matter?",
        "No: MAX has 25 there already, MIN has 20 elsewhere; 20, by the first move.",
        COURSE,
        (Check("alpha_beta", 20, 0, pruned=(3,), given={"x": 1000}),),
    ),
    NamedTree(
        "trip",
        "The trip",
        "title: costs, so MIN is at the root\n"
        "range: 0 .. inf\n"
        "MIN[MAX[CHANCE[200, x], CHANCE[300, 500]], MAX[CHANCE[300, 500], CHANCE[600, 900, y]]]",
        "For which x is the first move best whatever y is? For which x the second for every y up to 1200?",
        "The first whatever y is if x < 800, with a tie at 800 for the least y; the second for every y ≤ 1200 if "
        "x > 1600.",
        COURSE,
        (
            Check("expectiminimax", 499.5, 0, given={"x": 799, "y": 0}),
            Check("expectiminimax", 499.5, 0, given={"x": 799, "y": 5000}),
            Check("expectiminimax", 500, 0, moves=(500, 500), given={"x": 800, "y": 0}),
            Check("expectiminimax", 500, 1, given={"x": 801, "y": 0}),
            Check("expectiminimax", 899.5, 0, given={"x": 1599, "y": 1200}),
            Check("expectiminimax", 900, 1, given={"x": 1601, "y": 1200}),
        ),
    ),
    NamedTree(
        "one-player",
        "The two-ply tree without an adversary",
        "players: 1\n[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
        "What is the root worth if MAX makes all the moves?",
        "The best leaf, 14.",
        f"{TEXTBOOK}, Figure 5.2 as a single-agent tree",
        (Check("minimax", 14, 2),),
    ),
    NamedTree(
        "open-lines",
        "Tic-tac-toe's first two plies by open lines",
        """MAX "empty board" ~0
  corner: MIN ~3
    "edge beside it": ~1
    "corner beside it": ~0
    centre: ~-1
    "edge across": ~1
    "corner across": ~0
  edge: MIN ~2
    "corner beside it": ~-1
    "edge beside it": ~0
    centre: ~-2
    "corner across": ~-1
    "edge across": ~0
  centre: MIN ~4
    corner: ~1
    edge: ~2
""",
        "X moves, then O, symmetric positions merged; a position is worth the lines open to X less those open to O. "
        "Where should X begin?",
        "In the centre, 1; the empty board has 8 − 8 = 0, and X in the centre with O on an edge 6 − 4 = 2.",
        f"{TEXTBOOK}, exercise on tic-tac-toe",
        (Check("minimax", 1, 2, moves=(-1, -2, 1)),),
    ),
    NamedTree(
        "six-sided",
        "A die, with utilities in [−10, 10]",
        "range: -10 .. 10\nCHANCE[10, 10, -10, u, v, w]",
        "What is known of the node after one, two and three outcomes?",
        "[−6.67, 10] after 10, [−3.33, 10] after 10 and 10, [−3.33, 6.67] after 10, 10 and −10.",
        COURSE,
        (Check("expectiminimax", 10 / 6, given={"u": 0, "v": 0, "w": 0}),),
    ),
    NamedTree(
        "three-players",
        "Three players, each after its own",
        "[[[(1, 2, 6), (4, 2, 3)], [(6, 1, 2), (7, 4, 1)]], [[(5, 1, 1), (1, 5, 2)], [(7, 7, 1), (5, 4, 5)]]]",
        "What is the root worth to A, B and C?",
        "(1, 2, 6); at the root A has a tie.",
        f"{TEXTBOOK}, Figure 5.4",
        (Check("maxn", (1, 2, 6), 0),),
    ),
    NamedTree(
        "rescaled",
        "Only the order of utilities matters without chance",
        "[[1, 2], [2, 4]]",
        "Does the best move change if 1, 2, 2, 4 become 1, 20, 20, 400?",
        "No: the second is best before and after.",
        f"{TEXTBOOK}, the section on games of chance",
        (Check("minimax", 2, 1),),
    ),
    NamedTree(
        "rescaled-much",
        "Only the order of utilities matters without chance: after",
        "[[1, 20], [20, 400]]",
        "Has the best move changed since 1, 2, 2, 4?",
        "No: it is still the second.",
        f"{TEXTBOOK}, the section on games of chance",
        (Check("minimax", 20, 1),),
    ),
    NamedTree(
        "bet",
        "With chance, how much utilities differ matters",
        "MAX[{9/10: 2, 1/10: 3}, {9/10: 1, 1/10: 4}]",
        "Which move is best, and does that change if 1, 2, 3, 4 become 1, 20, 30, 400?",
        "The first, 2.1 against 1.3; afterwards the second.",
        f"{TEXTBOOK}, the section on games of chance",
        (Check("expectiminimax", 2.1, 0, moves=(2.1, 1.3)),),
    ),
    NamedTree(
        "bet-much",
        "With chance, how much utilities differ matters: after",
        "MAX[{9/10: 20, 1/10: 30}, {9/10: 1, 1/10: 400}]",
        "Which move is best now?",
        "The second: 40.9 against 21.",
        f"{TEXTBOOK}, the section on games of chance",
        (Check("expectiminimax", 40.9, 1, moves=(21, 40.9)),),
    ),
    NamedTree(
        "dark-magic",
        "Dark magic",
        "[left: [[2, 6], [1, 3]], right: [[7, 0], [2, 1]]]",
        "MAX may buy the opponent's move for a cost c. What is the root worth for c = 2 and for c = 5?",
        "3 without magic, by the left move. With c = 2 the right move and magic, 7 − 2 = 5; with c = 5 no magic, 3.",
        COURSE,
        (Check("minimax", 3, 0, moves=(3, 2)),),
    ),
)

LIBRARY = {tree.name: tree for tree in _TREES}
"""Name to tree, in the order of the chapter."""
