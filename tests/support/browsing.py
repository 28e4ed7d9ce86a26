"""Pages in a real browser, and the errors that they report."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

PATIENCE = 120.0
"""Seconds that a page may take for anything: the machine may be busy."""
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
    """A browser. Without one, the tests are skipped."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed: pip install playwright"
    )
    if BROWSER is None:
        pytest.skip("there is no Chromium on this machine: the page is not opened")
    with playwright.sync_playwright() as player:
        made = player.chromium.launch(executable_path=BROWSER, args=ARGUMENTS)
        yield made
        made.close()


class Tab:
    """A tab of the app, and what it has complained of."""

    def __init__(self, browser: Any, address: str, **settings: Any):
        self.context = browser.new_context(**settings)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(address)

    @property
    def address(self) -> str:
        """What stands in the address bar; Playwright's own idea of that lags behind."""
        return str(self.page.evaluate("location.href"))

    def until(self, holds: Callable[[], Any]) -> None:
        """Wait until something holds."""
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                raise TimeoutError(f"it never did; the page says {self.page.inner_text('main')!r}")
            time.sleep(0.02)

    def close(self) -> None:
        self.context.close()
        assert self.complaints == []


@contextlib.contextmanager
def opened(browser: Any, address: str, **settings: Any) -> Iterator[Any]:
    """A page, which must not complain of anything."""
    tab = Tab(browser, address, **settings)
    yield tab.page
    tab.close()
