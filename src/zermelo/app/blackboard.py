"""`zermelo tree` and `zermelo practice`: searches of small trees, and exercises."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from zermelo.app.options import ALGORITHM, EXERCISE, TREE, as_json
from zermelo.app.unknowns import conditions, solution_of, value_in_words
from zermelo.blackboard import html, png, svg, text, tikz
from zermelo.blackboard.practice import exercise, kinds
from zermelo.blackboard.sheet import sheet
from zermelo.blackboard.student import grade_file
from zermelo.blackboard.trace import Trace, trace
from zermelo.game.errors import UnknownName
from zermelo.games.resolve import parse_parameters
from zermelo.kernel.files import write_whole
from zermelo.search.resolve import resolve
from zermelo.trees import NamedTree, Node, ParsedTree, Tree, filled, load, named, names, parse, to_json

EXPORTS = (".svg", ".png", ".tex", ".html", ".txt")


def find_tree(what: str) -> tuple[ParsedTree, NamedTree | None]:
    """The tree given by a library name, a file, or text; and its library entry, if any."""
    if what in names():
        return named(what).tree, named(what)
    if any(sign in what for sign in "[{(\n"):
        return parse(what), None
    if Path(what).is_file():
        return load(what), None
    if what.endswith((".txt", ".json", ".test", ".tree")):
        raise UnknownName(f"there is no file {what!r}")
    named(what)  # raises, with the nearest name
    raise AssertionError


@click.command("tree")
@click.argument("tree", required=False, type=TREE)
@click.option("--list", "listing", is_flag=True, help="List the named trees.")
@click.option("--algorithm", type=ALGORITHM, help="Algorithm; by default one that suits the tree.")
@click.option("--depth", type=int, help="Depth limit; the nodes there need estimates.")
@click.option("--deepening", is_flag=True, help="Use iterative deepening.")
@click.option("--order", default="given", show_default=True, help="Move order: given, best, worst or random.")
@click.option("--seed", default=0, show_default=True, help="Seed of the random order.")
@click.option("--cut", default="<=", show_default=True, help="Cut condition of alpha-beta: <= (also at ties) or <.")
@click.option("--fail", default="soft", show_default=True, help="Fail-soft or fail-hard: soft or hard.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Value of an unknown leaf.")
@click.option("--answer", is_flag=True, help="Print the library's answer for a named tree.")
@click.option("--draw", is_flag=True, help="Draw the tree without a search.")
@click.option("--step", is_flag=True, help="Show the search step by step.")
@click.option("--show", type=click.Choice(["windows", "ranges", "values"]), help="What to show next to the nodes.")
@click.option("--export", "exports", multiple=True, metavar="FILE", help="Write a .svg, .png, .tex, .html or .txt.")
@as_json
def tree_command(tree: str | None, listing: bool, **options: Any) -> None:
    """Watch an algorithm on TREE: a name from the library, a file, or nested lists.

    \b
    zermelo tree fig-5.2
    zermelo tree "[[3,12,8],[2,4,6],[14,5,2]]" --algorithm minimax --json
    zermelo tree fig-5.2 --export steps.html --export tree.svg
    zermelo tree mytree.txt --step --cut "<"
    """
    if listing or tree is None:
        if options["as_json"]:
            click.echo(json.dumps([{"name": name, "title": named(name).title} for name in names()]))
            return
        for name in names():
            click.echo(f"{name:<24}{named(name).title}")
        return
    _Watching(tree, options).run()


class _Watching:
    """One call of `zermelo tree`."""

    def __init__(self, what: str, options: dict[str, Any]):
        self.options = options
        self.parsed, self.entry = find_tree(what)
        self.values = {name: _number(name, value) for name, value in parse_parameters(options["settings"]).items()}
        wrong = set(self.values) - set(self.parsed.unknowns)
        if wrong:
            has = ", ".join(self.parsed.unknowns) or "none"
            raise UnknownName(f"there is no unknown leaf {', '.join(sorted(wrong))} in this tree; it has {has}")

    def run(self) -> None:
        """Draw, solve or search the tree, depending on the options."""
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
        if self.options["as_json"]:
            click.echo(to_json(self.parsed, indent=None))
        else:
            click.echo(text.draw(drawing, self.options["show"]))

    def _solve(self, left: list[str]) -> None:
        """Solve a tree with unknown leaves: its value as a function of the first one, and when each move is best.

        The answer holds for all values of the other unknowns within the declared range.
        """
        name, root = left[0], filled(self.parsed.root, self.values)
        found = solution_of(self.parsed, **self.values)
        value, best = value_in_words(found, name), conditions(found, name)
        if self.options["as_json"]:
            answer = {"unknown": name, "whatever": left[1:], "value": value, "best": best}
            click.echo(json.dumps({**answer, **self._about()}))
            return
        self._export(root)
        self._ask()
        click.echo(text.draw(root, self.options["show"]))
        whatever = f", for any {' and '.join(left[1:])}" if left[1:] else ""
        click.echo(f"value{whatever}: {value}")
        for move, condition in enumerate(best):
            click.echo(f"move {move} is best{whatever} if {condition}")

    def _search(self, game: Tree) -> None:
        options = self.options
        algorithm = resolve(options["algorithm"]) if options["algorithm"] else _suitable(game)
        toggles = {name: options[name] for name in ("cut", "fail", "order", "seed", "deepening")}
        depth = options["depth"] or self.parsed.depth
        if depth is not None and not any(at.estimate for at in game.nodes):
            raise ValueError("--depth needs estimates, and no node of this tree has one")
        found = trace(game, algorithm, depth=depth, **toggles)
        self._export(found)
        if options["as_json"]:
            click.echo(json.dumps({**_answer(found), **self._about()}))
        elif options["step"]:
            _step(found, options["show"])
        else:
            self._ask()
            click.echo(text.draw(found, options["show"]))
            move = "" if found.action is None else f", move {game.action_name(game.initial(), found.action)}"
            click.echo(
                f"value {_shown(found.value)}{move}: {found.analysis.nodes} nodes by {found.algorithm}, ", nl=False
            )
            limit = f", to depth {depth}" if depth is not None else ""
            click.echo(f"pruned leaves: {len(found.unseen_leaves)}{limit}")

    def _ask(self) -> None:
        if self.entry is not None:
            click.echo(f"{self.entry.title}: {self.entry.question}")
            if self.options["answer"]:
                click.echo(f"Answer: {self.entry.answer}  ({self.entry.source})")

    def _about(self) -> dict[str, Any]:
        entry = self.entry
        return {} if entry is None else {"question": entry.question, "answer": entry.answer, "source": entry.source}

    def _export(self, drawing: Tree | Node | Trace) -> None:
        for name in self.options["exports"]:
            path = Path(name)
            if path.suffix not in EXPORTS:
                raise ValueError(f"{name!r} must end in one of {', '.join(EXPORTS)}")
            show = self.options["show"]
            if path.suffix == ".html":
                if not isinstance(drawing, Trace):
                    raise ValueError(
                        "an .html page shows the steps of a search: omit --draw, and set all unknown leaves"
                    )
                title = "" if self.entry is None else f"{self.entry.title}: {drawing.algorithm}"
                data = html.page(drawing, title=title).encode()
            elif path.suffix == ".png":
                data = png.draw(drawing, show)
            elif path.suffix == ".tex":
                data = tikz.draw(drawing, show, standalone=True).encode()
            else:
                data = (svg if path.suffix == ".svg" else text).draw(drawing, show).encode()
            _write(path, data)
            click.echo(f"wrote {path}", err=True)


def _write(path: Path, data: bytes) -> None:
    if not path.parent.is_dir():
        raise UnknownName(f"there is no folder {str(path.parent)!r} for {path.name}")
    try:
        write_whole(path, data)
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror}") from None


def _number(name: str, value: Any) -> Any:
    """The value of an unknown leaf: a finite number, or a fraction such as 1/3."""
    try:
        number = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name}={value}: an unknown leaf needs a number, such as 3, 2.5 or 1/3") from None
    return int(number) if number.denominator == 1 else number


def _suitable(game: Tree) -> str:
    from zermelo.search.registry import choose

    return choose(game, observable=True)[0].name


def _shown(value: Any) -> str:
    return "(" + ", ".join(f"{v:g}" for v in value) + ")" if isinstance(value, tuple) else f"{value:g}"


def _answer(found: Trace) -> dict[str, Any]:
    original = found.original  # node numbers of the tree as given, not as reordered
    return {
        "algorithm": found.algorithm,
        "value": found.value,
        "action": found.action,
        "line": _line(found),
        "visited": [original[n] for n in found.visited],
        "pruned": [[original[parent], original[child]] for parent, child in found.pruned],
        "unseen_leaves": [original[n] for n in found.unseen_leaves],
        "nodes": found.analysis.nodes,
        "steps": [{"kind": step.kind, "node": original[step.node], "text": step.text} for step in found.steps],
    }


def _line(found: Trace) -> list[int]:
    """The principal variation, as move indices in the tree as given."""
    places = []
    for number in found.line:
        parent = int(found.tree.parent[number])
        first, count = int(found.tree.first_child[parent]), int(found.tree.child_count[parent])
        siblings = sorted(found.original[first : first + count])
        places.append(siblings.index(found.original[number]))
    return places


def _step(found: Trace, show: str | None) -> None:
    """Show the steps one by one: Enter for the next, b for back, q to quit. Without a terminal, print all."""
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    at = 0
    while 0 <= at < len(found.steps):
        click.echo(f"{at + 1}/{len(found.steps)}  {found.steps[at].text}")
        if not interactive:
            at += 1
            continue
        click.echo(text.draw(found.at(at), show))
        key = click.prompt("Enter, b, q", default="", show_default=False)
        if key.strip().casefold() == "q":
            return
        at = max(0, at - 1) if key.strip().casefold() == "b" else at + 1


@click.command("practice")
@click.argument("kind", default="values", type=EXERCISE)
@click.option("--seed", type=int, default=1, show_default=True, help="Number of the exercise.")
@click.option("--answer", help="Your answer; by default the command asks for it.")
@click.option("--solution", is_flag=True, help="Show the correct answer.")
@click.option("--sheet", "sheet_file", metavar="FILE.html", help="Write a worksheet, and its key to FILE-key.html.")
@click.option("--count", default=5, show_default=True, help="Number of exercises on the worksheet.")
@click.option(
    "--grade",
    metavar="FILE.py",
    help="Grade your own function; KIND is its name: minimax, alpha_beta or expectiminimax.",
)
@as_json
@click.pass_context
def practice_command(context: click.Context, /, kind: str, seed: int, as_json: bool, **options: Any) -> None:
    """Do an exercise and get it graded. KIND: values, chance, pruning, unknown, bounds, or mixed for a worksheet.

    Exit codes: 0 if everything is correct, 1 if something is wrong.

    \b
    zermelo practice pruning --seed 7
    zermelo practice values --seed 3 --answer "A=3, B=2, C=5"
    zermelo practice mixed --sheet worksheet.html --count 8
    zermelo practice alpha_beta --grade mine.py
    """
    if options["grade"]:
        context.exit(_grade_student(Path(options["grade"]), kind, as_json))
    if options["sheet_file"]:
        written = _write_sheets(Path(options["sheet_file"]), kind, seed, options["count"])
        if as_json:
            click.echo(json.dumps(dict(zip(("sheet", "key"), map(str, written), strict=True))))
        else:
            click.echo("wrote {} and {}".format(*written), err=True)
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


def _write_sheets(path: Path, kind: str, seed: int, count: int) -> tuple[Path, Path]:
    """Write a worksheet and its key."""
    chosen = kinds() if kind == "mixed" else [kind]
    exercises = [exercise(chosen[i % len(chosen)], seed + i) for i in range(max(1, count))]
    key = path.with_name(f"{path.stem}-key{path.suffix or '.html'}")
    _write(path, sheet(exercises).encode())
    _write(key, sheet(exercises, key=True).encode())
    return path, key


def _grade_student(path: Path, function: str, as_json: bool) -> int:
    """Grade a student's function on the textbook's tree and on five exercises that suit it."""
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
