"""The documentation is true: every Python block of every page runs, every link leads somewhere, no page is lost.

Of the README and the page on the command line, the commands run too, some of them with options that make them shorter.

The blocks of a page run in order in one module, as if typed one after the other, in an empty folder. They are compiled
under the page's own name and line numbers, so a failure points into the page.
"""

from __future__ import annotations

import itertools
import linecache
import re
import shlex
import subprocess
import sys
import traceback
import types
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import zermelo.search  # noqa: F401 - the built-in algorithms, registered before a page adds its own
from zermelo.app.cli import main
from zermelo.app.serve import serve_command
from zermelo.search import registry

ROOT = Path(__file__).parent.parent
INDEX = ROOT / "docs" / "README.md"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(r"^( *)(```+|~~~+) *(\w*).*$")
LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)")  # the text before it may have begun a line above
HEADING = re.compile(r"^#+ +(.*?) *#*$")


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def fences(page: Path) -> Iterator[tuple[int, str, str | None]]:
    """Every line of a page with its number, and the language of the fenced block that it is in (None outside)."""
    opening, language = None, None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = FENCE.match(line)
        if fence and opening is None:
            opening, language = fence[2], fence[3]
        elif fence and opening is not None and fence[2].startswith(opening) and not fence[3]:
            opening, language = None, None
        else:
            yield number, line, language
    assert opening is None, f"{name(page)}: a block is never closed"


def python_blocks(page: Path) -> list[tuple[int, str]]:
    """The Python blocks of a page, each with the number of its first line."""
    blocks: list[tuple[int, list[str]]] = []
    last = 0
    for number, line, language in fences(page):
        if language == "python":
            if number != last + 1:
                blocks.append((number, []))
            blocks[-1][1].append(line)
            last = number
    return [(start, "\n".join(lines) + "\n") for start, lines in blocks]


SHORTER = {
    "match": ("--games", "2", "--workers", "0", "--seed", "1"),
    "race": ("--positions", "1", "--depth", "3"),
    "check": ("--plays", "10"),
}
"""What makes a command of a page take seconds where it takes minutes; it is the same command."""
TYPED = {"play": "quit\n", "practice": "\n", "uci": "uci\nquit\n", "gtp": "name\nquit\n"}
SAYS = {"uci": "uciok", "gtp": "= zermelo"}
"""What is typed to a command that asks."""
LONG = ("rollout",)
"""Commands that take most of a minute, because what they compile is used by nothing else; `make slow` runs them."""
ELSEWHERE = ("make play", "make test")
"""Commands that are run by whoever runs the tests."""


def commands(page: Path) -> list[tuple[int, list[str]]]:
    """The commands in the console blocks of a page, without comments and redirections."""
    found = []
    for number, line, language in fences(page):
        if language == "console" and line.partition("#")[0].strip() not in (*ELSEWHERE, ""):
            words = shlex.split(line, comments=True)
            found.append((number, list(itertools.takewhile(lambda word: not word.startswith(">"), words))))
    return found


def links(page: Path) -> Iterator[tuple[int, str]]:
    """The links of a page to other pages and pictures, with their line numbers."""
    for number, line, language in fences(page):
        if language is None:
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if not re.match(r"[a-z]+:", target):
                    yield number, target


def anchors(page: Path) -> set[str]:
    """What a link can name after its # in this page, as GitHub makes it of the headings."""
    headings = [HEADING.match(line) for _, line, language in fences(page) if language is None]
    return {re.sub(r"[^\w\- ]", "", h[1].casefold()).replace(" ", "-") for h in headings if h}


@pytest.mark.parametrize("page", [p for p in PAGES if python_blocks(p)], ids=name)
def test_code_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for table in ("_table", "_by_function"):  # what a page registers stays in the page
        monkeypatch.setattr(registry, table, dict(getattr(registry, table)))
    module = types.ModuleType("page_" + re.sub(r"\W", "_", name(page)))
    monkeypatch.setitem(sys.modules, module.__name__, module)  # so that the annotations of its classes can be read
    for start, source in python_blocks(page):
        failure = _run("\n" * (start - 1) + source, page, module)
        if failure:
            pytest.fail(failure, pytrace=False)


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "command_line.md"], ids=name)
@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["short", "long"])
def test_commands_run(page: Path, long: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZERMELO_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(serve_command, "callback", lambda **_: None)  # would go on for ever
    assert len(commands(page)) > 5
    for number, (program, *words) in commands(page):
        assert program == "zermelo", f"{name(page)}:{number}: {program} is not run by the tests"
        kind = words[0] if words else ""
        if (kind in LONG) != long:
            continue
        typed, arguments = TYPED.get(kind), [*words, *SHORTER.get(kind, ())]
        if kind in SAYS:  # which ends its process
            line = [sys.executable, "-m", "zermelo", *arguments]
            done = subprocess.run(line, input=typed, capture_output=True, text=True, timeout=120)
            assert SAYS[kind] in done.stdout
            continue
        result = CliRunner().invoke(main, arguments, input=typed, prog_name="zermelo")
        right = (0, 1) if kind == "practice" else (0,)  # an exercise without an answer is not right
        assert result.exit_code in right, f"{name(page)}:{number}: {' '.join(arguments)}\n{result.output}"


def _run(source: str, page: Path, module: types.ModuleType) -> str | None:
    """What went wrong, and in which line of the page; None if all is well."""
    file = f"<{name(page)}>"
    lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
    linecache.cache[file] = len(lines), None, lines, file  # so that messages can quote the page
    try:
        exec(compile(source, file, "exec", dont_inherit=True), vars(module))
    except Exception as error:
        numbers = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        number = numbers[-1] if numbers else getattr(error, "lineno", None) or 1
        return f"{name(page)}:{number}: {lines[number - 1].strip()}\n{type(error).__name__}: {error}"
    return None


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for number, link in links(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            broken.append(f"{name(page)}:{number}: {link}")
    assert not broken, "\n".join(broken)


def test_no_page_is_lost() -> None:
    found, waiting = {INDEX}, [INDEX]
    while waiting:
        page = waiting.pop()
        targets = {(page.parent / link.partition("#")[0]).resolve() for _, link in links(page)}
        waiting += [p for p in PAGES if p in targets - found]
        found |= targets
    lost = [name(p) for p in PAGES if p not in found and p != ROOT / "README.md"]
    assert not lost, f"docs/README.md leads to none of these: {', '.join(lost)}"
