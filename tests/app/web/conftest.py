"""Pages for the tests of desks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.pages import LONGEST, Page
from zermelo.app import compiling
from zermelo.app.web import play_desk, study


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """A page whose games are never compiled, which would take longer than the tests; and nobody looks at the clock."""
    monkeypatch.setattr(compiling, "why_not_compiled", lambda game: "nothing is compiled here")
    monkeypatch.setattr(study, "REVIEWED", LONGEST)
    monkeypatch.setattr(play_desk, "HINTED", LONGEST)
    page = Page()
    yield page
    page.say("leave")
