"""Which tests are run again after a failure: tests of a page or a server that timed out, and no security tests."""

from __future__ import annotations

import pytest

FIXTURES = {"browser", "served", "server"}
TIMEOUTS = ["^TimeoutError", "^TimeoutExpired"]
"""Names of the errors that a busy machine can cause; Playwright's error has the same name as Python's."""


def rerun_timeouts(items: list[pytest.Item]) -> None:
    """Mark the tests that may be run again, up to twice."""
    for item in items:
        if FIXTURES & set(getattr(item, "fixturenames", ())) and item.get_closest_marker("security") is None:
            item.add_marker(pytest.mark.flaky(reruns=2, only_rerun=TIMEOUTS))
