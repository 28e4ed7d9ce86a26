"""A page or server test is run again after a timeout, and after no other failure; a security test never is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CONFTEST = """
import pytest
from support.reruns import rerun_timeouts

def pytest_collection_modifyitems(items):
    rerun_timeouts(items)

@pytest.fixture
def browser():
    return "a browser"
"""

TESTS = """
import pytest

class Late(Exception):
    pass

Late.__name__ = "TimeoutError"  # as Playwright's is called, which is no subclass of Python's
runs = []

def fails_once(error):
    runs.append(error)
    if len(runs) == 1:
        raise error

def test_timeout(browser):
    fails_once({error})

@pytest.mark.security
def test_security(browser):
    fails_once({error})

def test_without_a_page():
    fails_once({error})
"""


def runs(pytester: pytest.Pytester, test: str, error: str) -> dict[str, int]:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_it=TESTS.replace("{error}", error))
    pytester.makeini("[pytest]\nmarkers = security")
    result = pytester.runpytest_inprocess("-p", "no:xdist", f"test_it.py::{test}")
    return {name: count for name, count in result.parseoutcomes().items() if name in ("passed", "failed", "rerun")}


@pytest.mark.parametrize("error", ["TimeoutError('late')", "Late('Timeout 120000ms exceeded')"])
def test_a_timeout_is_run_again(pytester: pytest.Pytester, error: str) -> None:
    assert runs(pytester, "test_timeout", error) == {"passed": 1, "rerun": 1}


@pytest.mark.parametrize("error", ["AssertionError('wrong')", "ValueError('TimeoutError')", "KeyError('timeout')"])
def test_no_other_failure_is(pytester: pytest.Pytester, error: str) -> None:
    assert runs(pytester, "test_timeout", error) == {"failed": 1}


def test_a_security_test_never_is(pytester: pytest.Pytester) -> None:
    assert runs(pytester, "test_security", "TimeoutError('late')") == {"failed": 1}


def test_a_test_without_a_page_never_is(pytester: pytest.Pytester) -> None:
    assert runs(pytester, "test_without_a_page", "TimeoutError('late')") == {"failed": 1}


@pytest.mark.parametrize("name", ["messages", "other_sites", "server"])
def test_the_files_on_security_are_marked(name: str) -> None:
    text = (Path(__file__).parent / "app" / "web" / f"test_{name}.py").read_text()
    assert re.search(r"^pytestmark = .*pytest\.mark\.security", text, re.MULTILINE)
