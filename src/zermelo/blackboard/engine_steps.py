"""The engine's search as a picture and as steps, in the same form in which a page steps through a trace."""

from __future__ import annotations

from typing import Any

from zermelo.blackboard.engine_tree import ASKED, ENDED, EngineTree, Visit
from zermelo.blackboard.figure import Figure, written_figure
from zermelo.blackboard.layout import BUDGET
from zermelo.blackboard.pseudocode import line_of
from zermelo.blackboard.subject import Subject
from zermelo.search.engine.scores import TOP
from zermelo.trees.tree import Node

FACTS = [("place", "move"), ("depth", "depth left"), ("window", "window"), ("asked", "asked"), ("value", "value")]
VIEWS = [("note", "what happened"), ("window", "windows"), ("none", "values only")]
NOTES = {
    "cut": "cut",
    "table": "table",
    "over": "over",
    "passed": "null move",
    "given up": "given up",
    "known": "known",
}

SHORT = {
    "searched": "searched",
    "cut": "refuted by one of its moves, the rest cut",
    "table": "answered by the table",
    "over": "the end of the game",
    "horizon": "evaluated",
    "stood": "evaluated",
    "passed": "cut by a null move",
    "given up": "given up by its evaluation",
    "known": "settled by the rules",
}
"""How a node ended, in a table."""
MORE = {
    "reduced": "A late move, so less deeply.",
    "null move": "The mover passes.",
    "without": "Without its best move: is that the only good one?",
    "shallow": "Less deeply, to find a move to begin with.",
}
"""Notes on nodes that are not simply searched."""


class EngineSteps:
    """An engine's search: its visits numbered breadth first, like a tree, and cut moves as leaves.

    figure   the picture, with room for all that the steps will write
    steps    the changes of each step, in the form of `html.steps`
    best     the nodes of the principal line
    """

    def __init__(self, tree: EngineTree, budget: int = BUDGET, title: str = ""):
        self.tree = tree
        self.rest: dict[int, int] = {}  # the leaf that represents the cut moves of a node
        self.places, self.subject = self._subject()
        self.place_of = {visit: place for place, visit in enumerate(self.places) if visit is not None}
        values = {self.place_of[v.number]: self._value(v) for v in tree.visits if v.children}
        notes = {
            self.place_of[v.number]: max(self._note(v), tree.window(v.number), key=len)
            for v in tree.visits
            if v.children
        }
        self.best = tuple(self.place_of[n] for n in tree.line)
        self.figure: Figure = written_figure(self.subject, values, notes, self.best, budget, title)
        self.drawn = set(self.figure.drawn)
        for group in self.figure.groups:
            visit = self._visit_at(group.node)
            if group.part == "node" and visit is not None:
                group.states |= {f"was-{visit.ended.replace(' ', '-')}"} | ({"quiescent"} if visit.quiescent else set())
        self.steps = list(self._steps())

    def state_at(self, place: int) -> Any:
        """The position at a node of the picture; None if the node represents cut moves."""
        visit = self._visit_at(place)
        return None if visit is None else visit.state

    def way_to(self, place: int) -> list[str] | None:
        """The moves from the root to a node; None if the path has a null move, or a node that is searched twice."""
        visit, moves = self._visit_at(place), []
        while visit is not None and visit.parent >= 0:
            if visit.asked in ("null move", "without", "shallow"):
                return None
            moves.append(self.tree.move(visit.number))
            visit = self.tree.visits[visit.parent]
        return None if visit is None else moves[::-1]

    def moves(self) -> dict[int, list[dict[str, Any]]]:
        """For each place with moves below it, what became of each: its place, its name, its value, and how it ended."""
        found = {}
        for visit in self.tree.visits:
            rows = [self._row(self.tree.visits[number]) for number in visit.children]
            if visit.number in self.rest:
                rest = self.rest[visit.number]
                rows.append({"place": rest, "move": self.subject.nodes[rest].unknown, "value": "", "ended": "cut"})
            if rows:
                found[self.place_of[visit.number]] = rows
        return found

    def _row(self, visit: Visit) -> dict[str, Any]:
        ended = ("quiescence: " if visit.quiescent else "") + SHORT[visit.ended]
        place = self.place_of[visit.number]
        return {"place": place, "move": self._label(visit.number), "value": self._value(visit), "ended": ended}

    def summary(self) -> str:
        """The result of the engine and its cost."""
        counts, root = self.tree.counts, self.tree.visits[0]
        return (
            f"engine: value {self.tree.value(root.score)} for {self.tree.game.player_name(self.tree.player)}; the "
            f"search to depth {self.tree.depth} visited {counts['nodes']:,} nodes: {counts['cuts']:,} cut, "
            f"{counts['table_cuts']:,} answered by the table, {counts['quiescent']:,} beyond the horizon."
        )

    def legend(self) -> str:
        """The legend of the picture."""
        return (
            f"▲ {self.tree.game.player_name(self.tree.player)}, who moves at the root, ▼ the other side, ■ not "
            "searched further. Values are for ▲; ≤ and ≥: a bound. Struck through: cut. Below a leaf: why it was "
            "not searched further. q: quiescence search, noisy moves only."
        )

    # How it is made.

    def _subject(self) -> tuple[list[int | None], Subject]:
        """The nodes breadth first, each with its visit (None: cut moves), and what is drawn there."""
        visits = self.tree.visits
        places: list[int | None] = [0]
        nodes, children, movers = [], [], []
        for number in places:  # grows as it is walked
            start = len(places)
            if number is None:
                children.append(range(start, start))
                continue
            at = visits[number]
            places.extend(at.children)
            if at.left and at.children:
                self.rest[number] = len(places)
                places.append(None)
            children.append(range(start, len(places)))
        rest_at = {place: number for number, place in self.rest.items()}
        for place, number in enumerate(places):
            nodes.append(self._cut(visits[rest_at[place]]) if number is None else self._node(visits[number]))
            movers.append(0 if number is None else self._side(visits[number]))
        return places, Subject(nodes, children, movers, 2)

    def _side(self, visit: Visit) -> int:
        game = self.tree.game
        mover = game.to_move(visit.state)
        return 0 if not visit.children or game.side(mover) == game.side(self.tree.player) else 1

    def _node(self, visit: Visit) -> Node:
        if not visit.children:
            return Node(unknown=self._value(visit), name=self._note(visit))
        labels = [self._label(number) for number in visit.children]
        return Node(labels=(*labels, *["cut"] * (visit.number in self.rest)))

    def _label(self, number: int) -> str:
        visit = self.tree.visits[number]
        before = [n for n in self.tree.visits[visit.parent].children if n < number]
        again = any(self.tree.visits[n].action == visit.action and visit.action is not None for n in before)
        return self.tree.move(number) + (" again" if again else "")

    def _cut(self, visit: Visit) -> Node:
        return Node(unknown=f"{len(visit.left)} move{'s' * (len(visit.left) != 1)}")

    def _visit_at(self, place: int) -> Visit | None:
        number = self.places[place] if place >= 0 else None
        return None if number is None else self.tree.visits[number]

    def _value(self, visit: Visit) -> str:
        return f"{visit.sign} {self.tree.value(visit.score)}".strip()

    def _note(self, visit: Visit) -> str:
        words = ["q"] * visit.quiescent + [visit.asked] * (visit.asked == "reduced")
        return ", ".join([*words, *([NOTES[visit.ended]] if visit.ended in NOTES else [])])

    def _steps(self) -> Any:
        for happened, number in self.tree.order:
            visit = self.tree.visits[number]
            if not visit.children:
                if happened == "leave":
                    yield self._step(
                        visit, self._line(visit), f"{self._arrival(visit)}: {self._end(visit)}", True, True
                    )
            elif happened == "enter":
                yield self._step(visit, 1, f"{self._arrival(visit)}: {self._question(visit)}", True, False)
            else:
                text = f"{self._name(visit).replace('the root', 'The root')}: {self._end(visit)}"
                yield self._step(visit, self._line(visit), text, False, True)

    def _step(self, visit: Visit, line: int, text: str, enters: bool, leaves: bool) -> dict[str, Any]:
        place = self.place_of[visit.number]
        path, at = [], visit
        while True:
            if self.place_of[at.number] in self.drawn:
                path.append(self.place_of[at.number])
            if at.parent < 0:
                break
            at = self.tree.visits[at.parent]
        is_drawn = place in self.drawn
        now = {
            "place": self._name(visit) + ("" if is_drawn else ", in a folded subtree"),
            "depth": str(visit.depth) if visit.depth > 0 else "none: quiescence search",
            "window": self.tree.window(visit.number),
            "asked": ASKED[visit.asked],
            "value": self._value(visit) if leaves else "",
        }
        step: dict[str, Any] = {
            "kind": "cut" if leaves and visit.ended in ("cut", "passed") else "value" if leaves else "visit",
            "node": path[0],
            "at": place,
            "path": path[::-1],
            "text": text,
            "line": line,
            "now": now,
        }
        if is_drawn and enters:
            step |= {"seen": [place], "window": {place: self.tree.window(visit.number)}}
        if is_drawn and leaves:
            step |= {"value": {place: self._value(visit)}, "note": {place: self._note(visit)}}
            if self.rest.get(visit.number) in self.drawn:
                step["cut"] = [self.rest[visit.number]]
        return step

    def _name(self, visit: Visit) -> str:
        return self.tree.move(visit.number) or "the root"

    def _arrival(self, visit: Visit) -> str:
        if visit.parent < 0:
            return f"Search to depth {visit.depth}"
        if visit.action is None:
            return self._name(visit).capitalize()
        game = self.tree.game
        return f"{game.player_name(game.to_move(self.tree.visits[visit.parent].state))} tries {self._name(visit)}"

    def _question(self, visit: Visit) -> str:
        low, high = self.tree.value(visit.low), self.tree.value(visit.high)
        question = "what is it worth?" if (visit.low, visit.high) == (-TOP, TOP) else f"is it worth {low} to {high}?"
        if visit.high - visit.low == 1:
            question = f"is it worth more than {low}?"
        words = [question, MORE.get(visit.asked, "")]
        if visit.depth <= 0:
            words.append("Beyond the horizon: noisy moves alone.")
        else:
            words.append(f"{visit.depth} pl{'y' if visit.depth == 1 else 'ies'} to go.")
        return " ".join(word for word in words if word)

    def _end(self, visit: Visit) -> str:
        signs = {"≤": "at most ", "≥": "at least ", "": ""}
        worth = self.tree.value(visit.score).replace("won", "a win").replace("lost", "a loss")
        end = ENDED[visit.ended]
        if visit.ended == "cut" and visit.left:
            end = f"a move was good enough, and {len(visit.left)} were cut"
        return f"{end}. It is worth {signs[visit.sign]}{worth}."

    def _line(self, visit: Visit) -> int:
        return line_of("engine", {"stood": "horizon", "searched": "value"}.get(visit.ended, visit.ended), "max")
