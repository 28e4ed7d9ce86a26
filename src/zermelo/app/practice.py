"""`zermelo practice`: exercises, worksheets, and grading of a student's own function."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from zermelo.app.blackboard import write
from zermelo.app.options import EXERCISE, as_json
from zermelo.blackboard import text
from zermelo.blackboard.exercise import Exercise
from zermelo.blackboard.practice import exercise, kinds, new_seed
from zermelo.blackboard.sheet import sheet
from zermelo.blackboard.student import grade_file
from zermelo.trees import Tree


@click.command("practice")
@click.argument("kind", default="values", type=EXERCISE)
@click.option("--seed", type=click.IntRange(0), help="Number of the exercise; by default a new one.")
@click.option("--answer", help="Your answer; by default the command asks for it.")
@click.option("--hint", "hints", count=True, help="Show a hint; --hint twice shows two.")
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
def practice_command(context: click.Context, /, kind: str, seed: int | None, as_json: bool, **options: Any) -> None:
    """Do an exercise and get it graded.

    KIND: values, chance, pruning, unknown, bounds, mcts; or mixed, for a worksheet.

    Exit codes: 0 if everything is correct, 1 if something is wrong.

    \b
    zermelo practice pruning --seed 7
    zermelo practice values --seed 3 --answer "A=3, B=2, C=5"
    zermelo practice mixed --sheet worksheet.html --count 8
    zermelo practice alpha_beta --grade mine.py
    """
    seed = new_seed() if seed is None else seed
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
        click.echo(f"{asked.question}\n\n{text.draw(asked.drawing)}\nThis is number {seed}: --seed {seed} repeats it.")
        for hint in asked.hints[: options["hints"]]:
            click.echo(f"Hint: {hint}")
    if options["solution"]:
        click.echo(json.dumps({"solution": asked.solution}) if as_json else asked.solution)
        return
    if options["answer"] is None and as_json:
        known = {"kind": kind, "seed": seed, "question": asked.question, "form": asked.form}
        click.echo(json.dumps({**known, "hints": asked.hints[: options["hints"]]}))
        return
    if options["answer"] is None:
        context.exit(_ask(asked, options["hints"]))
    grade = asked.grade(options["answer"])
    if as_json:
        marks = [{"place": m.place, "given": m.given, "right": m.right, "correct": m.correct} for m in grade.marks]
        click.echo(json.dumps({"passed": grade.passed, "right": grade.right, "marks": marks}))
    else:
        click.echo(grade.brief if grade.passed else f"{grade.brief}\n--hint helps, --solution shows the answer.")
    context.exit(0 if grade.passed else 1)


def _ask(asked: Exercise, shown: int) -> int:
    """Ask until the answer is right or given up; returns the exit code: was the first answer right?"""
    code = 0
    keys = "h for a hint, s for the solution, Enter to stop"
    click.echo(f"Your answer, like {asked.form}; {keys}.")
    while True:
        given = click.prompt("Answer", default="", show_default=False, prompt_suffix="> ").strip()
        if given.casefold() == "h":
            click.echo(asked.hints[shown] if shown < len(asked.hints) else "There are no more hints.")
            shown += 1
        elif given.casefold() == "s":
            click.echo(asked.solution)
            return 1
        elif not given:
            return 1
        else:
            grade = asked.grade(given)
            click.echo(grade.brief)
            if grade.passed:
                return code
            code = 1


def _write_sheets(path: Path, kind: str, seed: int, count: int) -> tuple[Path, Path]:
    """Write a worksheet and its key."""
    chosen = kinds() if kind == "mixed" else [kind]
    exercises = [exercise(chosen[i % len(chosen)], seed + i) for i in range(max(1, count))]
    key = path.with_name(f"{path.stem}-key{path.suffix or '.html'}")
    write(path, sheet(exercises).encode())
    write(key, sheet(exercises, key=True).encode())
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
            json.dumps(
                {
                    name: {"passed": g.passed, "marks": [str(m) for m in g.marks], "picture": g.picture}
                    for name, g in grades.items()
                }
            )
        )
    else:
        for name, grade in grades.items():
            click.echo(f"{name}\n{grade}\n")
    return 0 if all(grade.passed for grade in grades.values()) else 1
