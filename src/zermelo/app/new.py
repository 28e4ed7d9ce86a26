"""`zermelo new`: create a small working game with tests, for users to change into their own game."""

from __future__ import annotations

import json
import keyword
import sys
from importlib import resources
from pathlib import Path

import click

from zermelo.app.options import as_json


@click.command("new")
@click.argument("name")
@as_json
def new_command(name: str, as_json: bool) -> None:
    """Create NAME.py, a small game to start from, and test_NAME.py. Existing files are never overwritten.

    \b
    zermelo new mygame
    zermelo check mygame.py
    zermelo play mygame.py
    """
    file, tests = files_of(name)
    for path in (file, tests):
        if path.exists():
            raise ValueError(f"the file {str(path)!r} already exists: choose another name, or move the file")
    if not file.parent.is_dir():
        raise ValueError(f"there is no folder {str(file.parent)!r} for {file.name}")
    for path, template in ((file, "game.txt"), (tests, "test.txt")):
        with path.open("x", encoding="utf-8") as opened:
            opened.write(filled(template, file, tests))
    if as_json:
        click.echo(json.dumps({"game": str(file), "tests": str(tests)}))
        return
    click.echo(f"created {file} and {tests}")
    click.echo(f"play it: zermelo play {file}, or zermelo serve {file}; check it: zermelo check {file}")


def files_of(name: str) -> tuple[Path, Path]:
    """The paths of the game and its tests. Python must be able to import the name."""
    path = Path(name.removesuffix(".py") + ".py")
    stem = path.stem
    if not stem.isidentifier() or keyword.iskeyword(stem) or stem in sys.stdlib_module_names or stem == "zermelo":
        wrong = "is reserved" if stem.isidentifier() else "is not a name that Python can import"
        raise ValueError(f"{stem!r} {wrong}: use a name such as mygame or my_game")
    return path, path.with_name(f"test_{stem}.py")


def filled(template: str, file: Path, tests: Path) -> str:
    """The template, with the names of this game inserted."""
    text = resources.files("zermelo.app").joinpath("templates", template).read_text(encoding="utf-8")
    made = "".join(word[:1].upper() + word[1:] for word in file.stem.split("_"))
    for sign, name in (("CLASS", made), ("NAME", file.stem), ("FILE", file.name), ("TEST", tests.name)):
        text = text.replace(sign, name)
    return text
