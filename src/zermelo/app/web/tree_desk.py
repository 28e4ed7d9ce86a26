"""The desk for trees: searches, drawings, unrolled games, and exercises."""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from zermelo.app.web.desk import Say
from zermelo.app.web.faults import in_words
from zermelo.app.web.table import GameTable
from zermelo.app.web.tree_views import (
    EngineView,
    GameView,
    GrowthView,
    TreeView,
    about,
    drawing,
    engine_suits,
    exercise_view,
    marks,
    suited,
    unknown_answers,
)
from zermelo.blackboard.editing import MOST_NODES, edited
from zermelo.blackboard.engine_tree import watch_engine
from zermelo.blackboard.growth import watch_mcts
from zermelo.blackboard.layout import BUDGET
from zermelo.blackboard.practice import exercise
from zermelo.blackboard.trace import trace
from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.resolve import parse_parameters
from zermelo.kernel.worker import Stopped, run_plain
from zermelo.pictures import draw
from zermelo.search.registry import choose, find
from zermelo.trees import Node, ParsedTree, Tree, TreeError, filled, named, names, parse, to_nested, unnamed, unroll
from zermelo.trees.source import measure

SECONDS = 10.0
"""The time limit of a request in seconds."""
MOST_TREE, MOST_STEPS, MOST_ENGINE = 2000, 8000, 3000
"""The most nodes of a tree, steps of a trace, and nodes that the engine may visit."""
ENGINE_BUDGET = 400
"""The most drawn nodes of the engine's search, which is narrow, and deep because of quiescence search."""


class TreeDesk:
    """What was shown last, and the thread that computes the next answer. Only the latest request counts."""

    def __init__(self, say: Say):
        self.say = say
        self.guard = threading.RLock()
        self.wake = threading.Condition(self.guard)
        self.waiting: tuple[int, Callable[[], dict[str, Any]]] | None = None
        self.shown: GameView | EngineView | GrowthView | None = None
        threading.Thread(target=self._work_on, daemon=True).start()

    # Messages.

    def do_trees(self) -> None:
        self.say({"kind": "trees", "trees": [{"name": name, "title": named(name).title} for name in names()]})

    def do_tree(self, request: int, tree: str, watching: dict[str, Any]) -> None:
        self._later(request, functools.partial(self._tree, tree, watching))

    def do_unroll(
        self,
        request: int,
        game: str,
        plies: int,
        watching: dict[str, Any],
        settings: list[str] | None = None,
        moves: list[str] | None = None,
        start: str = "",
    ) -> None:
        def found() -> Any:
            table = GameTable(game, settings or (), start=start or None, moves=moves or ())
            return self._unroll(table, plies, watching)

        self._later(request, found)

    def do_position(self, request: int, node: int) -> None:
        """The position at a node of a game's tree, as a picture, and the moves that lead there."""
        self._answer(request, lambda: self._position(node))

    def do_draw(self, request: int, tree: str) -> None:
        self._answer(request, lambda: self._drawing(found_tree(tree)))

    def do_edit(self, request: int, tree: str, change: str, node: int, text: str = "") -> None:
        self._answer(request, lambda: self._drawing(edited(found_tree(tree), change, node, text)))

    def do_exercise(self, practice: str, seed: int) -> None:
        self.say({"kind": "exercise", **exercise_view(exercise(practice, seed))})

    def do_grade(self, practice: str, seed: int, answer: str) -> None:
        asked = exercise(practice, seed)
        self.say({"kind": "grade", "practice": practice, "seed": seed, **marks(asked, answer)})

    def leave(self) -> None:
        self.waiting = None

    # Work.

    def _later(self, request: int, job: Callable[[], dict[str, Any]]) -> None:
        self.waiting = request, job
        self.wake.notify_all()

    def _work_on(self) -> None:
        while True:
            with self.guard:
                while self.waiting is None:
                    self.wake.wait()
                request, job = self.waiting
                self.waiting = None
            self._answer(request, functools.partial(within_time, job))

    def _answer(self, request: int, job: Callable[[], dict[str, Any]]) -> None:
        """Send the job's answer, or its error with line and column."""
        try:
            self.say({**job(), "request": request})
        except TreeError as error:
            where = {"line": error.line, "column": error.column}
            self.say({"kind": "tree_error", "request": request, "error": str(error), **where})
        except Exception as error:
            self.say({"kind": "tree_error", "request": request, "error": in_words(error)})

    def _position(self, node: int) -> dict[str, Any]:
        if self.shown is None:
            raise ValueError("no game is unrolled")
        game, state, way = self.shown.game, *self.shown.position(node)
        picture = None if state is None else draw(game, state, title=game.title)
        text = "" if state is None else game.text(state)
        return {"kind": "position", "node": node, "svg": picture, "text": text, "moves": way}

    def _drawing(self, parsed: ParsedTree) -> dict[str, Any]:
        size, _ = measure(parsed.root)
        if size > MOST_NODES:
            raise ValueError(f"the tree has {size:,} nodes; at most {MOST_NODES} can be drawn")
        return {"kind": "drawing", "text": to_nested(parsed).strip(), **drawing(parsed)}

    def _tree(self, what: str, watching: dict[str, Any]) -> dict[str, Any]:
        parsed = found_tree(what)
        size, _ = measure(parsed.root)
        if size > MOST_TREE:
            raise ValueError(f"the tree has {size:,} nodes; at most {MOST_TREE:,} can be searched here")
        given = {name: number_of(name, value) for name, value in parse_parameters(watching.get("given", ())).items()}
        wrong = set(given) - set(parsed.unknowns)
        if wrong:
            raise ValueError(f"there is no unknown leaf {', '.join(sorted(wrong))} in this tree")
        with self.guard:
            self.shown = None
        more = {**about(what), "text": to_nested(parsed).strip(), "unknowns": parsed.unknowns}
        if any(name not in given for name in parsed.unknowns):
            left = replace(parsed, root=filled(parsed.root, given))
            return {"kind": "tree", **more, **drawing(left), **unknown_answers(left)}
        game = parsed.to_game(**given)
        if game.child_count[0] == 0:
            raise ValueError("the tree is a single leaf: there is nothing to search; give it children")
        if watching.get("algorithm") == "mcts":
            view = GrowthView(watch_mcts(game, **_mcts_options(watching)), suited(game), watching.get("budget", BUDGET))
            return {"kind": "tree", **more, **view.message()}
        depth = watching.get("depth") or parsed.depth
        return {"kind": "tree", **more, **self._watched(game, {**watching, "depth": depth}).message()}

    def _unroll(self, table: GameTable, plies: int, watching: dict[str, Any]) -> dict[str, Any]:
        game, states = table.game, table.states
        if game.traits.hidden:
            raise Unsuitable(f"{game.title} has hidden information: a tree would reveal everything")
        if game.remembering(states).is_terminal(states[-1]):
            raise ValueError("the game is over in this position")
        more = {
            "title": game.title,
            "game": table.what,
            "settings": list(table.settings),
            "moves": [name for name in table.moves if name is not None],
            "start": table.play.start or "",
            "plies": plies,
        }
        if watching.get("algorithm") == "engine":
            tree = watch_engine(game, states[-1], plies, states[:-1], MOST_ENGINE)
            shown: GameView | EngineView | GrowthView = EngineView(tree, watching.get("budget", ENGINE_BUDGET))
        elif watching.get("algorithm") == "mcts":
            grown = watch_mcts(game, states[-1], history=states[:-1], **_mcts_options(watching))
            shown = GrowthView(grown, [*suited(game), engine_suits(game)], watching.get("budget", ENGINE_BUDGET))
        else:
            root = unrolled(game, states, plies)
            tree_of_it = Tree(unnamed(root), game.players, utility_range=_range(game, root))
            made = self._watched(tree_of_it, {**watching, "depth": None})
            shown = GameView(made, game, states[-1])
        with self.guard:
            self.shown = shown
        return {"kind": "tree", **more, **shown.message()}

    def _watched(self, tree: Tree, watching: dict[str, Any]) -> TreeView:
        """The requested trace."""
        name = watching.get("algorithm") or choose(tree, observable=True)[0].name
        chosen = find(name)
        depth = watching.get("depth")
        if depth is not None and not any(at.estimate for at in tree.nodes):
            raise ValueError("a depth limit needs estimates, and no node of this tree has one")
        known = ["order", "seed", "deepening", *chosen.options]
        known += ["cut", "fail"] if chosen.name == "alpha_beta" else []
        toggles = {key: watching[key] for key in known if key in watching}
        found = trace(tree, name, depth=depth, **toggles)
        if len(found.steps) > MOST_STEPS:
            raise ValueError(f"the search takes {len(found.steps):,} steps; at most {MOST_STEPS:,} can be shown")
        return TreeView(found, suited(tree), watching.get("budget", BUDGET))


def _mcts_options(watching: dict[str, Any]) -> dict[str, Any]:
    return {name: watching[name] for name in ("simulations", "seed", "exploration", "proofs") if name in watching}


def within_time(job: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The job's answer; raises an error if it takes too long."""
    try:
        answer: dict[str, Any] = run_plain(job, [0], SECONDS)
    except Stopped:
        raise ValueError(f"this takes more than {SECONDS:g} seconds: try a smaller tree") from None
    return answer


def found_tree(what: str) -> ParsedTree:
    """The library tree with this name, or the tree in a text."""
    return named(what.strip()).tree if what.strip() in names() else parse(what)


def unrolled(game: Game, states: list[Any], plies: int) -> Node:
    """The game's tree from the last of these states; raises an error if it is too large."""
    try:
        return unroll(game, states[-1], plies, nodes=MOST_TREE, history=states[:-1])
    except TreeError as error:
        raise ValueError(f"{str(error).partition(';')[0]}: choose fewer plies") from None


def number_of(name: str, value: Any) -> Any:
    """The value of an unknown leaf."""
    found = parse(str(value)).root
    if not found.is_leaf or len(found.utility) != 1:
        raise ValueError(f"{name}={value}: an unknown leaf takes a number, such as 3, 2.5 or 1/3")
    return found.utility[0]


def _range(game: Game, root: Node) -> tuple[float, float]:
    """The game's utility range, if all estimates lie within it."""
    low, high = (float(bound) for bound in game.utility_range)
    waiting = [root]
    while waiting:
        at = waiting.pop()
        if not all(low <= value <= high for value in (*at.utility, *at.estimate)):
            return -math.inf, math.inf
        waiting.extend(at.children)
    return low, high
