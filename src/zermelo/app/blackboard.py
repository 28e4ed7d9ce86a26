"""`zermelo tree` and `zermelo practice`: trees on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from zermelo.app.resolve import parse_parameters
from zermelo.blackboard import html, png, svg, text, tikz
from zermelo.blackboard.practice import exercise, kinds
from zermelo.blackboard.sheet import sheet
from zermelo.blackboard.student import grade_file
from zermelo.blackboard.trace import Trace, trace
from zermelo.game.errors import UnknownName
from zermelo.game.protocol import CHANCE
from zermelo.kernel.files import write_whole
from zermelo.trees import Node, ParsedTree, Tree, TreeState, load, named, names, parse
from zermelo.trees.unknowns import solve

EXPORTS = (".svg", ".png", ".tex", ".html", ".txt")


def find_tree(what: str) -> tuple[ParsedTree, str]:
    """The tree that is meant by a name of the library, a file or a tree typed as text; and its question."""
    if what in names():
        found = named(what)
        return found.tree, f"{found.title}: {found.question}"
    if Path(what).is_file():
        return load(what), ""
    if any(sign in what for sign in "[{(\n"):
        return parse(what), ""
    if what.endswith((".txt", ".json", ".test", ".tree")):
        raise UnknownName(f"there is no file {what!r}")
    named(what)  # raises, with the nearest name
    raise AssertionError


@click.command("tree")
@click.argument("tree", required=False)
@click.option("--list", "listing", is_flag=True, help="List the named trees.")
@click.option("--algorithm", help="Which algorithm to watch; by default what suits the tree.")
@click.option("--depth", type=int, help="Cut off at this depth and use the estimates.")
@click.option("--deepening", is_flag=True, help="Search to depth 1, 2, 3 …")
@click.option("--order", default="given", show_default=True, help="Of the moves: given, best, worst, random.")
@click.option("--seed", default=0, show_default=True, help="For the random order.")
@click.option("--cut", default="<=", show_default=True, help="Where alpha-beta cuts: <= (at ties too) or <.")
@click.option("--fail", default="soft", show_default=True, help="What a pruned node returns: soft or hard.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="The value of an unknown leaf.")
@click.option("--draw", is_flag=True, help="Draw the tree, without searching it.")
@click.option("--step", is_flag=True, help="Go through the search step by step.")
@click.option("--show", type=click.Choice(["windows", "ranges", "values"]), help="What to write beside the nodes.")
@click.option("--export", "exports", multiple=True, metavar="FILE", help="Write a .svg, .png, .tex, .html or .txt.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def tree_command(tree: str | None, listing: bool, **options: Any) -> None:
    """Watch an algorithm on a TREE: a named one, a file, or nested lists.

    \b
    zermelo tree fig-5.2
    zermelo tree "[[3,12,8],[2,4,6],[14,5,2]]" --algorithm minimax --json
    zermelo tree fig-5.2 --export steps.html --export tree.svg
    zermelo tree mytree.txt --step --cut "<"
    """
    if listing or tree is None:
        for name in names():
            click.echo(f"{name:<24}{named(name).title}")
        return
    _Watching(tree, options).run()


class _Watching:
    """One call of `zermelo tree`."""

    def __init__(self, what: str, options: dict[str, Any]):
        self.options = options
        self.parsed, self.question = find_tree(what)
        self.values = parse_parameters(options["settings"])
        wrong = set(self.values) - set(self.parsed.unknowns)
        if wrong:
            has = ", ".join(self.parsed.unknowns) or "none"
            raise UnknownName(f"there is no unknown leaf {', '.join(sorted(wrong))} in this tree; it has {has}")

    def run(self) -> None:
        """Draw, solve or search, as asked."""
        left = [name for name in self.parsed.unknowns if name not in self.values]
        if self.options["draw"]:
            self._draw(self.parsed.root if left else self._game())
        elif left:
            self._solve(left)
        else:
            self._search(self._game())

    def _game(self) -> Tree:
        return self.parsed.to_game(**self.values)

    def _draw(self, drawing: Any) -> None:
        self._export(drawing)
        if not self.options["as_json"]:
            click.echo(text.draw(drawing, self.options["show"]))

    def _solve(self, left: list[str]) -> None:
        """A tree with unknown leaves: its value as a function of the first, and for which values each move is best."""
        name = left[0]
        fixed: dict[str, Any] = dict.fromkeys(left[1:], 0)
        found = solve(self.parsed.root, first=self.parsed.first, players=self.parsed.players)
        value = str(found.value(name, **fixed))
        decides = self.parsed.root.mover != CHANCE
        moves = range(len(self.parsed.root.children) if decides else 0)
        best = [found.when(move, name, **fixed).condition(name) for move in moves]
        if self.options["as_json"]:
            click.echo(json.dumps({"unknown": name, "given": fixed, "value": value, "best": best}))
            return
        self._ask()
        click.echo(text.draw(self.parsed.root, self.options["show"]))
        given = f"  (with {', '.join(f'{k} = {v}' for k, v in fixed.items())})" if fixed else ""
        click.echo(f"value  {value}{given}")
        for move, condition in enumerate(best):
            click.echo(f"move {move} is best where {condition}")
        self._export(self.parsed.root)

    def _search(self, game: Tree) -> None:
        options = self.options
        algorithm = options["algorithm"] or _suitable(game)
        toggles = {name: options[name] for name in ("depth", "cut", "fail", "order", "seed", "deepening")}
        found = trace(game, algorithm, **toggles)
        self._export(found)
        if options["as_json"]:
            click.echo(json.dumps(_answer(found)))
        elif options["step"]:
            _step(found, options["show"])
        else:
            self._ask()
            click.echo(text.draw(found, options["show"]))
            click.echo(
                f"value {_shown(found.value)}, move {found.action}: {found.analysis.nodes} nodes by {algorithm}, ",
                nl=False,
            )
            click.echo(f"{len(found.unseen_leaves)} leaves never seen")

    def _ask(self) -> None:
        if self.question:
            click.echo(self.question)

    def _export(self, drawing: Tree | Node | Trace) -> None:
        for name in self.options["exports"]:
            path = Path(name)
            if path.suffix not in EXPORTS:
                raise ValueError(f"{name!r} is none of {', '.join(EXPORTS)}")
            show = self.options["show"]
            if path.suffix == ".html":
                if not isinstance(drawing, Trace):
                    raise ValueError(
                        "a page shows the steps of a search: leave out --draw, and give unknown leaves values"
                    )
                data = html.page(drawing).encode()
            elif path.suffix == ".png":
                data = png.draw(drawing, show)
            elif path.suffix == ".tex":
                data = tikz.draw(drawing, show, standalone=True).encode()
            else:
                data = (svg if path.suffix == ".svg" else text).draw(drawing, show).encode()
            write_whole(path, data)
            click.echo(f"wrote {path}", err=True)


def _suitable(game: Tree) -> str:
    from zermelo.search.algorithm import choose

    return choose(game)[0].name


def _shown(value: Any) -> str:
    return "(" + ", ".join(f"{v:g}" for v in value) + ")" if isinstance(value, tuple) else f"{value:g}"


def _answer(found: Trace) -> dict[str, Any]:
    return {
        "algorithm": found.algorithm,
        "value": found.value,
        "action": found.action,
        "line": [found.tree.action_name(s, a) for s, a in _along(found)],
        "visited": list(found.visited),
        "pruned": [list(edge) for edge in found.pruned],
        "unseen_leaves": list(found.unseen_leaves),
        "nodes": found.analysis.nodes,
        "steps": [{"kind": step.kind, "node": step.node, "text": step.text} for step in found.steps],
    }


def _along(found: Trace) -> list[tuple[TreeState, int]]:
    """The states and the moves of the principal line, of the tree as it was searched."""
    steps, s = [], found.tree.initial()
    for a in found.analysis.line:
        steps.append((s, int(a)))
        s = found.tree.result(s, int(a))
    return steps


def _step(found: Trace, show: str | None) -> None:
    """Step by step: Enter goes on, b goes back, q ends; without a terminal, all steps."""
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    at = 0
    while 0 <= at < len(found.steps):
        click.echo(f"{at + 1}/{len(found.steps)}  {found.steps[at].text}")
        if not interactive:
            at += 1
            continue
        click.echo(text.draw(found.at(at + 1), show))
        key = click.prompt("Enter, b, q", default="", show_default=False)
        if key.strip().casefold() == "q":
            return
        at = max(0, at - 1) if key.strip().casefold() == "b" else at + 1


@click.command("practice")
@click.argument("kind", default="values")
@click.option("--seed", type=int, default=1, show_default=True, help="Which exercise of its kind.")
@click.option("--answer", help="Your answer; without one you are asked.")
@click.option("--solution", is_flag=True, help="Show the right answer.")
@click.option("--sheet", "sheet_file", metavar="FILE.html", help="Write a worksheet and, beside it, its key.")
@click.option("--count", default=5, show_default=True, help="How many exercises on a worksheet.")
@click.option("--grade", metavar="FILE.py", help="Grade your own function: KIND is then minimax or alpha_beta.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
@click.pass_context
def practice_command(context: click.Context, /, kind: str, seed: int, as_json: bool, **options: Any) -> None:
    """Do an exercise and have it graded. KIND: values, chance, pruning, unknown, bounds, or mixed for a worksheet.

    Exit code 0: all right; 1: something is wrong.

    \b
    zermelo practice pruning --seed 7
    zermelo practice values --seed 3 --answer "A=3, B=2, C=5"
    zermelo practice mixed --sheet worksheet.html --count 8
    zermelo practice alpha_beta --grade mine.py
    """
    if options["grade"]:
        context.exit(_grade_student(Path(options["grade"]), kind, as_json))
    if options["sheet_file"]:
        _write_sheets(Path(options["sheet_file"]), kind, seed, options["count"])
        return
    asked = exercise(kind, seed)
    if not as_json:
        click.echo(f"{asked.question}\n\n{text.draw(asked.drawing)}\n")
    if options["solution"]:
        click.echo(json.dumps({"solution": asked.solution}) if as_json else asked.solution)
        return
    if options["answer"] is None and as_json:
        click.echo(json.dumps({"kind": kind, "seed": seed, "question": asked.question, "form": asked.form}))
        return
    given = options["answer"]
    if given is None:
        given = click.prompt(f"Your answer (like {asked.form})", default="", show_default=False)
    grade = asked.grade(given)
    if as_json:
        marks = [{"place": m.place, "given": m.given, "right": m.right, "correct": m.correct} for m in grade.marks]
        click.echo(json.dumps({"passed": grade.passed, "right": grade.right, "marks": marks}))
    else:
        click.echo(str(grade))
    context.exit(0 if grade.passed else 1)


def _write_sheets(path: Path, kind: str, seed: int, count: int) -> None:
    chosen = kinds() if kind == "mixed" else [kind]
    exercises = [exercise(chosen[i % len(chosen)], seed + i) for i in range(max(1, count))]
    key = path.with_name(f"{path.stem}-key{path.suffix or '.html'}")
    write_whole(path, sheet(exercises).encode())
    write_whole(key, sheet(exercises, key=True).encode())
    click.echo(f"wrote {path} and {key}", err=True)


def _grade_student(path: Path, function: str, as_json: bool) -> int:
    """Grade a student's function on the named trees that are plain MAX and MIN, or chance, as it is for."""
    trees = {"fig-5.2": Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])}
    for seed in range(1, 6):
        kind = "chance" if function == "expectiminimax" else "values"
        trees[f"{kind} {seed}"] = exercise(kind, seed).tree
    grades = dict(zip(trees, grade_file(path, function, list(trees.values())), strict=True))
    if as_json:
        click.echo(
            json.dumps({name: {"passed": g.passed, "marks": [str(m) for m in g.marks]} for name, g in grades.items()})
        )
    else:
        for name, grade in grades.items():
            click.echo(f"{name}\n{grade}\n")
    return 0 if all(grade.passed for grade in grades.values()) else 1
