"""Pages in a real browser, where there is one; what they complain of is kept."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

BROWSER = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextlib.contextmanager
def browsing() -> Iterator[Any]:
    """A browser; where there is none, the tests are skipped, and say so."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install playwright"
    )
    if BROWSER is None:
        pytest.skip("there is no Chromium on this machine: the page is not opened")
    with playwright.sync_playwright() as player:
        made = player.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield made
        made.close()


@contextlib.contextmanager
def opened(browser: Any, address: str, **settings: Any) -> Iterator[Any]:
    """A page, which must not complain of anything."""
    context = browser.new_context(**settings)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert complaints == []
