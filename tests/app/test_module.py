"""`python -m zermelo`, which is the command line."""

from __future__ import annotations

import subprocess
import sys

import pytest

from zermelo import __version__


@pytest.mark.parametrize(
    ("words", "code", "said", "complained"),
    [
        (("--version",), 0, f"zermelo, version {__version__}\n", ""),
        (("plai",), 2, "", "zermelo: there is no command 'plai' (did you mean 'play'?); see zermelo --help\n"),
    ],
)
def test_python_runs_the_package_as_the_command(words: tuple[str, ...], code: int, said: str, complained: str) -> None:
    done = subprocess.run([sys.executable, "-m", "zermelo", *words], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (code, said, complained)
