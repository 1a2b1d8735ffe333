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
    """One browser for tests that follow each other; its event loop would be in the way of others."""

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


KEPT = Kept()


@pytest.fixture
def browser() -> Any:
    """A browser, kept open while the next test wants it too."""
    return KEPT.browser()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close the browser before a test that has no use for it, and after the last."""
    yield
    if "browser" not in getattr(nextitem, "fixturenames", ()):
        KEPT.close()
