"""The page's views of trees: pictures, steps, answers and marks, ready to be sent."""

from __future__ import annotations

from typing import Any

from zermelo.app.unknowns import conditions, solution_of, value_in_words
from zermelo.blackboard import html, svg
from zermelo.blackboard.engine_steps import FACTS, VIEWS, EngineSteps
from zermelo.blackboard.engine_tree import EngineTree
from zermelo.blackboard.exercise import Exercise
from zermelo.blackboard.figure import Figure, figure, live_figure, value_text, written_figure
from zermelo.blackboard.growth import Growth
from zermelo.blackboard.pseudocode import pseudocode
from zermelo.blackboard.steps import Snapshot
from zermelo.blackboard.subject import subject_of
from zermelo.blackboard.trace import Trace
from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.search.checks import require_two_sides
from zermelo.search.registry import algorithms
from zermelo.trees import Node, ParsedTree, named, names, to_nested
from zermelo.trees.indented import numbers_text
from zermelo.trees.source import LETTERS, mover_name, number_text
from zermelo.trees.unknowns import Solution
from zermelo.trees.variations import with_movers

ROOM = "−99/99 ✓"
"""The longest answer that is written beside a node."""
MOST_UNKNOWNS = 4
"""The most unknown leaves that are solved for: the number of cases multiplies with each."""
MOST_LEAVES = 60
"""The most pruned leaves that are listed."""


class TreeView:
    """A trace, for the page."""

    def __init__(self, found: Trace, suited: list[dict[str, Any]], budget: int, title: str = ""):
        self.trace, self.suited, self.budget = found, suited, budget
        self.figure = live_figure(found, budget, title)

    def message(self) -> dict[str, Any]:
        found = self.trace
        return {
            "algorithm": found.algorithm,
            "algorithms": self.suited,
            "svg": svg.render(self.figure),
            "labels": labels(subject_of(found.tree)),
            "steps": html.steps(found, set(self.figure.drawn)),
            "best": [0, *found.line],
            "code": found.pseudocode,
            "facts": found.facts(),
            "views": found.views(),
            "summary": found.summary(),
            "legend": found.legend(),
            "budget": self.budget,
            "estimates": any(at.estimate for at in found.tree.nodes),
            **size_of(self.figure, len(found.tree.nodes)),
        }


class GameView:
    """A trace of a game's tree, whose nodes are positions."""

    def __init__(self, view: TreeView, game: Game, state: Any):
        self.view, self.game, self.state = view, game, state

    def position(self, node: int) -> tuple[Any, list[str] | None]:
        """The state at a node, and the moves that lead to it."""
        tree = self.view.trace.tree
        if not 0 <= node < len(tree.nodes):
            raise ValueError(f"there is no node {node}")
        way: list[tuple[int, int]] = []
        while node > 0:
            parent = int(tree.parent[node])
            way.append((parent, node - int(tree.first_child[parent])))
            node = parent
        s, names = self.state, []
        for parent, place in reversed(way):
            label = tree.nodes[parent].labels[place]
            is_chance = self.game.to_move(s) == CHANCE
            moves = [a for a, _ in self.game.outcomes(s)] if is_chance else list(self.game.actions(s))
            called = [str(a) if is_chance else self.game.action_name(s, a) for a in moves]
            s = self.game.result(s, moves[called.index(label)])
            names.append(label)
        return s, names

    def message(self) -> dict[str, Any]:
        made, game = self.view.message(), self.game
        who = f"MAX is {game.player_name(0)}, MIN is {game.player_name(1)}. " if game.players == 2 else ""
        return {
            **made,
            "positions": True,
            "moves_at": self.moves(),
            "algorithms": [*made["algorithms"], engine_suits(game)],
            "legend": who + made["legend"],
        }

    def moves(self) -> dict[int, list[dict[str, Any]]]:
        """For each node, the result of each of its moves."""
        tree, last = self.view.trace.tree, self.view.trace.at(-1)
        found: dict[int, list[dict[str, Any]]] = {}
        for node in range(1, len(tree.nodes)):
            parent = int(tree.parent[node])
            label = tree.nodes[parent].labels[node - int(tree.first_child[parent])]
            if node not in last.visited:
                ended = "pruned" if (parent, node) in last.cut else "not reached"
            elif tree.nodes[node].children:
                ended = "searched"
            else:
                ended = "evaluated" if tree.nodes[node].estimate else "the end of the game"
            row = {"place": node, "move": label, "value": value_text(last, node), "ended": ended}
            found.setdefault(parent, []).append(row)
        return found


class EngineView:
    """The engine's own search, for the page."""

    def __init__(self, tree: EngineTree, budget: int):
        self.made = EngineSteps(tree, budget, f"The engine's search of {tree.game.title}")
        self.game, self.budget = tree.game, budget

    def position(self, node: int) -> tuple[Any, list[str] | None]:
        """The state at a node, and the moves that lead to it."""
        if not 0 <= node < len(self.made.places):
            raise ValueError(f"there is no node {node}")
        return self.made.state_at(node), self.made.way_to(node)

    def message(self) -> dict[str, Any]:
        made = self.made
        return {
            "algorithm": "engine",
            "algorithms": [*suited(self.game), engine_suits(self.game)],
            "svg": svg.render(made.figure),
            "labels": labels(made.subject),
            "steps": made.steps,
            "best": made.best,
            "moves_at": made.moves(),
            "code": pseudocode("engine"),
            "facts": FACTS,
            "views": VIEWS,
            "summary": made.summary(),
            "legend": made.legend(),
            "budget": self.budget,
            "positions": True,
            **size_of(made.figure, len(made.places)),
        }


class GrowthView:
    """Monte Carlo tree search, for the page."""

    def __init__(self, found: Growth, suited: list[dict[str, Any]], budget: int):
        self.found, self.game, self.suited, self.budget = found, found.game, suited, budget
        self.figure = live_figure(found, budget, f"Monte Carlo tree search of {found.game.title}")

    def position(self, node: int) -> tuple[Any, list[str] | None]:
        """The state at a node, and the moves that lead to it."""
        if not 0 <= node < len(self.found.places):
            raise ValueError(f"there is no node {node}")
        return self.found.places[node].state, [self.found.label(n) for n in self.found.way_to(node)[1:]]

    def message(self) -> dict[str, Any]:
        found = self.found
        return {
            "algorithm": "mcts",
            "algorithms": self.suited,
            "svg": svg.render(self.figure),
            "labels": labels(found.subject),
            "steps": html.steps(found, set(self.figure.drawn)),
            "best": [0, *found.line],
            "moves_at": found.moves_at(),
            "moves_title": "visits",
            "code": found.pseudocode,
            "facts": found.facts(),
            "views": found.views(),
            "summary": found.summary(),
            "legend": found.legend(),
            "budget": self.budget,
            "positions": found.tree is None,
            **size_of(self.figure, len(found.places)),
        }


def suited(game: Game) -> list[dict[str, Any]]:
    """The algorithms that can be watched; those that do not suit the game with the reason."""
    traits = game.traits
    watched = [a for a in algorithms() if a.observable or a.simulates]
    return [{"name": a.name, "summary": a.summary, "objection": a.objection(traits)} for a in watched]


def engine_suits(game: Game) -> dict[str, Any]:
    """The engine, likewise."""
    objection = None
    try:
        require_two_sides("the engine", game)
    except Unsuitable as error:
        objection = str(error)
    return {"name": "engine", "summary": "The engine with all its techniques.", "objection": objection}


def size_of(made: Figure, nodes: int) -> dict[str, Any]:
    """The number of nodes, and of those that are drawn."""
    return {"nodes": nodes, "drawn": len(made.drawn)}


def about(what: str) -> dict[str, Any]:
    """The library's information about a tree, if it is in the library."""
    if what.strip() not in names():
        return {}
    entry = named(what.strip())
    known = {"title": entry.title, "question": entry.question, "answer": entry.answer, "source": entry.source}
    return {"name": entry.name, **known}


def labels(subject: Any) -> list[str]:
    """The screen reader labels of the nodes."""
    words = []
    for number, at in enumerate(subject.nodes):
        kind = subject.kind(number)
        who = {"max": "MAX node", "min": "MIN node", "chance": "chance node", "leaf": "leaf"}.get(
            kind, f"node of player {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[subject.movers[number]]}"
        )
        name = f"{who} {at.name}".strip()
        children = len(subject.children[number])
        more = f"worth {subject.leaf_text(number)}" if kind == "leaf" else f"{children} child{'ren' * (children != 1)}"
        words.append(f"{name}, {more}")
    return words


def drawing(parsed: ParsedTree) -> dict[str, Any]:
    """A tree as a picture, and each of its nodes as data that can be edited."""
    given = subject_of(parsed.root).nodes
    root = with_movers(parsed.root, parsed.first, parsed.players)
    subject, made = subject_of(root), figure(root, budget=len(given))
    parents = [-1] * len(given)
    for number, row in enumerate(subject.children):
        for child in row:
            parents[child] = number
    nodes = []
    for number, at in enumerate(given):
        above = given[parents[number]] if number else None
        place = number - subject.children[parents[number]].start if number else 0
        nodes.append(
            {
                "leaf": at.is_leaf,
                "value": at.unknown or numbers_text(at.utility) if at.is_leaf else "",
                "estimate": numbers_text(at.estimate) if at.estimate else "",
                "mover": "" if at.mover is None or at.is_leaf else mover_name(at.mover, parsed.players),
                "odds": ", ".join(number_text(p) for p in at.odds),
                "name": at.name,
                "label": above.labels[place] if above is not None and place < len(above.labels) else "",
                "parent": parents[number],
                "place": place,
            }
        )
    movers = ["MAX", "MIN"] if parsed.players <= 2 else list(LETTERS[: parsed.players])
    return {
        "svg": svg.render(made),
        "labels": labels(subject),
        "data": nodes,
        "movers": [*movers[: parsed.players], "CHANCE"],
        **size_of(made, len(nodes)),
    }


def unknown_answers(parsed: ParsedTree) -> dict[str, Any]:
    """For each unknown leaf: for which of its values each move is best and each leaf is pruned."""
    count = len(parsed.unknowns)
    if count > MOST_UNKNOWNS:
        problem = f"{count} leaves are unknown; at most {MOST_UNKNOWNS} can be solved for. Give some of them values."
        return {"solution": [], "problem": problem}
    found = solution_of(parsed)
    places = {path: number for number, path in enumerate(_paths(found.root))}
    return {"solution": [_answer(found, name, places) for name in parsed.unknowns]}


def _answer(found: Solution, name: str, places: dict[tuple[int, ...], int]) -> dict[str, Any]:
    root = found.root
    answer: dict[str, Any] = {
        "unknown": name,
        "whatever": [other for other in found.unknowns if other != name],
        "value": value_in_words(found, name),
        "best": [
            {"move": _called(root, move), "node": move + 1, "where": condition}
            for move, condition in enumerate(conditions(found, name))
        ],
        "pruned": [],
        "problem": None,
    }
    try:
        pruned = found.prunings(name)
    except Unsuitable as error:
        answer["problem"] = f"{str(error).partition(':')[0]}: write them before the tree, as in range: 0 .. 10"
        return answer
    subject = subject_of(root)
    answer["pruned"] = [
        {"leaf": subject.leaf_text(places[path]), "node": places[path], "where": where.condition(name)}
        for path, where in list(pruned.items())[:MOST_LEAVES]
    ]
    return answer


def _called(root: Node, move: int) -> str:
    label = root.labels[move] if move < len(root.labels) else ""
    return label or f"move {move + 1}"


def _paths(root: Node) -> list[tuple[int, ...]]:
    """The line of moves to every node, breadth first."""
    paths: list[tuple[int, ...]] = [()]
    nodes = [root]
    for path, at in zip(paths, nodes, strict=False):  # both grow during the loop
        paths += [(*path, i) for i in range(len(at.children))]
        nodes += at.children
    return paths


# Exercises.


def exercise_view(asked: Exercise) -> dict[str, Any]:
    """An exercise for the page, with the nodes in question and the hints. The answer is not sent."""
    is_search = isinstance(asked.drawing, Snapshot)
    subject = asked.drawing.trace.subject if is_search else subject_of(asked.drawing)
    wanted = {"values": "node", "chance": "node", "pruning": "leaf", "mcts": "node"}.get(asked.kind, "")
    numbers = [n for n, at in enumerate(subject.nodes) if wanted and at.is_leaf == (wanted == "leaf")]
    if wanted == "leaf":
        numbers.sort(key=lambda n: int(subject.nodes[n].name))  # from left to right
    places = [{"node": n, "name": subject.nodes[n].name} for n in numbers]
    if is_search:
        made = figure(asked.drawing, title="The tree of the exercise")
        places.insert(0, {"node": -1, "name": "leaf"})
    else:
        room = {number: ROOM for number, row in enumerate(subject.children) if row and wanted == "node"}
        made = written_figure(subject, room, {}, (), len(subject.nodes), "The tree of the exercise")
    return {
        "practice": asked.kind,
        "seed": asked.seed,
        "question": asked.question,
        "form": asked.form,
        "hints": asked.hints,
        "svg": svg.render(made),
        "labels": labels(subject),
        "asks": wanted,
        "legend": "the leaf, and the visits" if is_search else "the values, for MAX",
        "writes": not is_search,
        "places": places,
    }


def marks(asked: Exercise, answer: str) -> dict[str, Any]:
    """The grades of an answer, with the solution and the tree."""
    grade = asked.grade(answer)
    root = asked.drawing if isinstance(asked.drawing, Node) else asked.tree.root
    whole = ParsedTree(root, utility_range=asked.tree.utility_range)
    return {
        "passed": bool(grade.passed),
        "right": int(grade.right),
        "marks": [{**vars(mark), "correct": bool(mark.correct)} for mark in grade.marks],
        "solution": asked.solution,
        "tree": to_nested(whole).strip(),
        "watching": asked.watching,
    }
