"""The disk cache never serves stale code, and losing any part of it costs no more than a compilation."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.kernel.cache import _prune
from zermelo.kernel.fingerprint import NEVER_COMPILED, PACKAGE

GAME = '''
from typing import NamedTuple
import numpy as np
from zermelo import Game, i8
import worth
from worth import bonus, SCALE

class State(NamedTuple):
    ply: i8
    picked: i8

class Pick(Game):
    """Pick a number, twice; the sum decides."""
    players = 1
    def __init__(self, table=(0, 1, 2)):
        self.table = np.array(table, np.float64)
    def initial(self):
        return State(0, 0)
    def to_move(self, s):
        return 0
    def actions(self, s):
        for a in range(3):
            yield a
    def result(self, s, a):
        return State(s.ply + 1, a)
    def is_terminal(self, s):
        return s.ply == 1
    def utility(self, s, p):
        return self.table[s.picked] * SCALE + bonus(s.picked) + worth.EXTRA
'''
WORTH = """
SCALE = 1
EXTRA = 0
def bonus(x):
    return 0
"""
BEST = """
from zermelo.kernel.routine import Routine

def best(game, s):
    value = -1000.0
    for a in game.actions(s):
        value = max(value, game.utility(game.result(s, a), 0))
    return value

BEST = Routine(best)
"""
RUN = """
import json, sys
from zermelo.kernel import cache
from best import BEST
from pick import Pick
game = Pick(*map(eval, sys.argv[1:]))
value = BEST.compiled(game)(game.initial())
print(json.dumps({"value": value, **cache.counts}))
"""
ANALYSE = """
import json
import zermelo
from zermelo.kernel import cache
from pick import Pick
value = zermelo.analyse(Pick(), algorithm="minimax", compile=True).value
print(json.dumps({"value": value, **cache.counts}))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pick.py").write_text(GAME)
    (tmp_path / "worth.py").write_text(WORTH)
    (tmp_path / "best.py").write_text(BEST)
    (tmp_path / "run.py").write_text(RUN)
    return tmp_path


def run(folder: Path, *arguments: str, script: str = "run.py", package: Path | None = None) -> dict[str, Any]:
    """Run the script in a process of its own."""
    environment = {**os.environ, "ZERMELO_CACHE": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    if package is not None:
        environment["PYTHONPATH"] = str(package)
    done = subprocess.run(
        [sys.executable, script, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_cold_then_warm_then_changed(folder: Path) -> None:
    assert run(folder) == {"value": 2, "loaded": 0, "compiled": 1}
    assert run(folder) == {"value": 2, "loaded": 1, "compiled": 0}
    # A change to the game itself,
    edit(folder / "pick.py", "range(3)", "range(2)")
    assert run(folder) == {"value": 1, "loaded": 0, "compiled": 1}
    # to a helper in another file,
    edit(folder / "worth.py", "return 0", "return 10 * x")
    assert run(folder) == {"value": 11, "loaded": 0, "compiled": 1}
    # to a constant that was imported,
    edit(folder / "worth.py", "SCALE = 1", "SCALE = 5")
    assert run(folder) == {"value": 15, "loaded": 0, "compiled": 1}
    # and to one that is reached through its module.
    edit(folder / "worth.py", "EXTRA = 0", "EXTRA = 100")
    assert run(folder) == {"value": 115, "loaded": 0, "compiled": 1}
    # A comment changes nothing; going back finds the first program again.
    edit(folder / "pick.py", "class State", "# a comment\nclass State")
    assert run(folder)["loaded"] == 1
    (folder / "pick.py").write_text(GAME)
    (folder / "worth.py").write_text(WORTH)
    assert run(folder) == {"value": 2, "loaded": 1, "compiled": 0}


REACHING = """
from __future__ import annotations
import enum
from typing import NamedTuple
import package.sub
from zermelo import Game, u8, u16

class Score(enum.IntEnum):
    WIN = 1

W = u8

class Box(NamedTuple):
    inside: W

class Pick(Game):
    players = 1
    def initial(self):
        return Box(0)
    def to_move(self, s):
        return 0
    def actions(self, s):
        for a in range(1, 2):
            yield a
    def result(self, s, a):
        return Box(s.inside + a)
    def is_terminal(self, s):
        return s.inside > 0
    def utility(self, s, p):
        return Score.WIN + 10 * package.sub.CONST + 100 * Box(300 - s.inside).inside
"""


@pytest.mark.slow
def test_enums_submodules_and_aliases_of_widths_are_followed(folder: Path) -> None:
    (folder / "pick.py").write_text(REACHING)
    (folder / "package").mkdir()
    (folder / "package/__init__.py").write_text("")
    (folder / "package/sub.py").write_text("CONST = 1\n")
    assert run(folder)["value"] == 1 + 10 + 100 * 43
    edit(folder / "pick.py", "WIN = 1", "WIN = 7")
    assert run(folder)["value"] == 7 + 10 + 100 * 43
    edit(folder / "package/sub.py", "CONST = 1", "CONST = 2")
    assert run(folder)["value"] == 7 + 20 + 100 * 43
    edit(folder / "pick.py", "W = u8", "W = u16")
    assert run(folder)["value"] == 7 + 20 + 100 * 299
    assert run(folder)["loaded"] == 1


def test_games_that_differ_only_in_a_table_share_a_program_and_not_their_values(folder: Path) -> None:
    assert run(folder, "(0, 1, 2)")["value"] == 2
    assert run(folder, "(7, 1, 2)") == {"value": 7, "loaded": 1, "compiled": 0}


def test_a_deleted_game_harms_no_other(folder: Path) -> None:
    other = GAME.replace("range(3)", "range(2)").replace("Pick", "Other")
    (folder / "other.py").write_text(other)
    (folder / "run_other.py").write_text(RUN.replace("from pick import Pick", "from other import Other as Pick"))
    assert run(folder)["value"] == 2
    assert run(folder, script="run_other.py")["value"] == 1
    (folder / "other.py").unlink()
    assert run(folder) == {"value": 2, "loaded": 1, "compiled": 0}


def test_a_damaged_file_is_compiled_anew(folder: Path) -> None:
    run(folder)
    (program,) = (folder / "cache").glob("*.program")
    data = program.read_bytes()
    for damaged in (data[:-100], b"x" * len(data), b""):  # cut short, overwritten, emptied
        program.write_bytes(damaged)
        assert run(folder) == {"value": 2, "loaded": 0, "compiled": 1}
        assert program.read_bytes() not in (damaged, b"")
    assert run(folder)["loaded"] == 1


def test_a_cache_that_cannot_be_written_only_costs_time(folder: Path) -> None:
    (folder / "cache").write_text("a file where the folder should be")
    assert run(folder)["value"] == 2


def test_a_change_to_the_package_is_never_served_from_the_cache(folder: Path) -> None:
    package = folder / "site"
    source = Path(zermelo.__file__).parent
    shutil.copytree(source, package / "zermelo", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "run.py").write_text(ANALYSE)
    assert run(folder, package=package) == {"value": 2, "loaded": 0, "compiled": 1}
    assert run(folder, package=package)["loaded"] == 1
    edit(package / "zermelo/search/minimax.py", "if value > best:", "if value >= best + 2:")
    changed = run(folder, package=package)
    assert changed == {"value": 2, "loaded": 0, "compiled": 1}
    edit(package / "zermelo/search/minimax.py", "best = -INF", "best = 5.0")
    assert run(folder, package=package)["value"] == 5


def test_a_global_changed_in_a_running_program_is_seen(folder: Path) -> None:
    (folder / "live.py").write_text(
        "import json, pick\n"
        "from best import BEST\n"
        "game = pick.Pick()\n"
        "value = lambda: BEST.compiled(game)(game.initial())\n"
        "first = value()\n"
        "pick.SCALE = 3\n"
        "second = value()\n"
        "pick.bonus = lambda x: 1000\n"
        "third = value()\n"
        "game.table[:] = 9\n"
        "print(json.dumps([first, second, third, value()]))\n"
    )
    assert run(folder, script="live.py") == [2, 6, 1006, 1027]


NEW_GAME = """
import json, sys
from zermelo.games.resolve import resolve
from zermelo.kernel import cache
from best import BEST
game = resolve("domino.py", {})
value = BEST.compiled(game)(game.initial())
print(json.dumps(cache.counts))
"""


def test_a_new_game_with_a_picture_is_cached(folder: Path) -> None:
    command = [sys.executable, "-m", "zermelo", "new", "domino.py"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    assert "def picture" in (folder / "domino.py").read_text()
    (folder / "new.py").write_text(NEW_GAME)
    assert run(folder, script="new.py") == {"loaded": 0, "compiled": 1}
    assert run(folder, script="new.py") == {"loaded": 1, "compiled": 0}


def test_files_of_killed_processes_are_deleted(tmp_path: Path) -> None:
    old = [tmp_path / name for name in ("a.part", "b.lock")]
    new = [tmp_path / name for name in ("c.part", "d.lock", "e.program")]
    for path in (*old, *new):
        path.touch()
    for path in old:
        os.utime(path, (0, 0))
    _prune(tmp_path)
    assert sorted(tmp_path.iterdir()) == new


def test_the_sources_of_every_layer_with_compiled_code_count() -> None:
    """A layer whose changes go unnoticed must not compile anything: stale code would write outside of its arrays."""
    compiled = re.compile(r"\b(Routine\(|class \w+\(.*\bPart\b)")
    layers = {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py") if compiled.search(path.read_text())}
    assert "lookup" in layers
    assert layers.isdisjoint(NEVER_COMPILED)
