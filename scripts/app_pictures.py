"""Retake the pictures of the app in docs/pictures: `python scripts/app_pictures.py [NAME ...]`, such as `app_chess`.

It needs Playwright and a Chromium: `playwright install chromium`, or an installed one, named by $CHROMIUM.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
COMPILED = 180_000
"""The most milliseconds to wait for something that may have to be compiled first."""
BLACKBURNE_TRAP = "e4.e5.Nf3.Nc6.Bc4.Nd4.Nxe5.Qg5.Nxf7.Qxg2.Rf1.Qxe4%2B.Be2.Nf3%23"
STEPS_TO_THE_CUT = 10


def start(page: Any) -> None:
    page.locator(".cards svg").nth(9).wait_for()
    page.locator(".hero svg").wait_for()


def analysis(depth: int) -> Callable[[Any], None]:
    """Analyse until this depth, or until everything is proven."""

    def take(page: Any) -> None:
        page.get_by_role("button", name="Analyse", exact=True).click()
        page.wait_for_function(
            """depth => {
                const said = document.querySelector("[aria-label='search progress']")?.innerText || "";
                return said.includes("complete") || Number(said.match(/depth (\\d+)/)?.[1]) >= depth;
            }""",
            arg=depth,
            timeout=COMPILED,
        )
        page.locator(".compiling").wait_for(state="detached", timeout=COMPILED)

    return take


def review(page: Any) -> None:
    page.get_by_role("button", name="Find mistakes").click()
    page.locator(".accuracy").wait_for(timeout=COMPILED)
    page.locator(".mistakes button").first.click()
    page.locator(".mistakes .current").wait_for()
    page.locator(".review").evaluate("section => section.scrollIntoView({ block: 'end' })")


def race(page: Any) -> None:
    page.get_by_label("seconds per algorithm").fill("1")
    page.get_by_role("button", name="Start").click()
    page.get_by_text("Race finished.").wait_for(timeout=COMPILED)


def trees(page: Any) -> None:
    page.locator("svg").first.wait_for()
    for _ in range(STEPS_TO_THE_CUT):
        page.get_by_role("button", name="step forward").click()
    page.mouse.move(0, 0)


TAKEN: dict[str, tuple[str, int, int, Callable[[Any], None]]] = {
    "app_start": ("#/start", 1200, 760, start),
    "app_chess": ("#/play?game=chess&moves=e4.e5.Nf3.Nc6.Bc4", 1180, 820, analysis(11)),
    "app_connect_four": ("#/play?game=connect_four&moves=4.4.4.4.4.2", 1180, 820, analysis(100)),
    "app_go": ("#/play?game=go&moves=E5.E3.G4.D7.C4", 1180, 820, analysis(8)),
    "app_review": (f"#/play?game=chess&moves={BLACKBURNE_TRAP}", 1180, 1000, review),
    "app_race": ("#/race?game=connect_four&moves=4.4.3", 1200, 967, race),
    "app_trees": ("#/trees", 1100, 640, trees),
}


def main(names: list[str]) -> None:
    served = subprocess.Popen(
        [sys.executable, "-m", "zermelo", "serve", "--no-browser", "--no-compile"], stdout=subprocess.PIPE, text=True
    )
    assert served.stdout is not None
    found = re.search(r"http://\S+/", served.stdout.readline())
    assert found
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            for name in names or TAKEN:
                where, width, height, take = TAKEN[name]
                page = browser.new_context(viewport={"width": width, "height": height}).new_page()
                page.goto(found[0] + where)
                take(page)
                page.wait_for_timeout(400)  # transitions
                page.screenshot(path=PICTURES / f"{name}.png")
                page.context.close()
                print(name)
    finally:
        served.terminate()
        served.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
