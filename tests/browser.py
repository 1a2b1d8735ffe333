"""A real browser for tests: Debian's Chromium, or whatever Chromium there is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, NoReturn

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip


def without(reason: str) -> NoReturn:
    """Skip for want of a browser, unless one must be there."""
    if os.environ.get("HEEDFUL_NEED_BROWSER"):
        pytest.fail(f"HEEDFUL_NEED_BROWSER is set, but {reason}")
    pytest.skip(reason)


class Kept:
    """One browser for test modules that follow each other; its event loop would be in the way of others."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Any = None

    def browser(self) -> Any:
        """Return the browser, started if it is not."""
        if self._browser is None:
            if CHROMIUM is None:
                without("no Chromium was found")
            try:
                from playwright.sync_api import sync_playwright
            except ModuleNotFoundError:
                without("playwright is not installed")
            chromium = self._open.enter_context(sync_playwright()).chromium
            self._browser = chromium.launch(executable_path=CHROMIUM, args=QUIET)
            self._open.callback(self._browser.close)
        return self._browser

    def close(self) -> None:
        """Close it; asked again, another is started."""
        self._open.close()
        self._browser = None


@pytest.fixture(scope="session")
def kept() -> Iterator[Kept]:
    """Close the browser at the end, however that comes."""
    held = Kept()
    yield held
    held.close()


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest, kept: Kept) -> Iterator[Any]:
    """A browser, kept open while the next module wants it too."""
    yield kept.browser()
    items = request.session.items
    own = [i for i, item in enumerate(items) if item.path == request.path]
    following = items[own[-1] + 1 : own[-1] + 2]
    if not any("browser" in getattr(item, "fixturenames", ()) for item in following):
        kept.close()
