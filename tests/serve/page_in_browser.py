"""The page in a browser: what is to be seen on it, and what went wrong in it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from tests.serve.running import PATIENCE, Running, wait_for

PHONE, DESK = 360, 1200
TEXT = "the best parcel came on monday and it was lovely for my sister"
TABS = {
    "read": ":is(#sum .waterfall, figure:has(#effects) .tops)",
    "compare": "#pair-matrix td.c",
    "steps": "#steps-matrix td.c",
    "search": "#hits > li",
    "model": "#card-text",
}  # and what is there when a tab is drawn
STATES: dict[str, dict[str, str]] = {"read": {"text": TEXT}, "search": {"query": "a late parcel"}}


class Visit:
    """A page that is open, and all that went wrong in it."""

    def __init__(self, browser: Any, address: str, *, width: int, scheme: str) -> None:
        self.address = address
        self.context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
        )
        self.context.set_default_timeout(PATIENCE * 1000)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
        self.requests: list[Any] = []
        self.wrong: list[str] = []
        self.context.on("page", self._watch)
        self.context.on("request", lambda request: self.requests.append(request))

    def _watch(self, page: Any) -> None:
        page.on("dialog", lambda dialog: (self.wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("pageerror", lambda error: self.wrong.append(f"error {error}"))
        page.on("console", lambda said: self.wrong.append(f"console {said.text}"))

    def strangers(self) -> list[str]:
        """What was asked of another host, and fonts that were asked for at all."""
        own = (f"{self.address}/", "data:", f"blob:{self.address}/")
        return [each.url for each in self.requests if not each.url.startswith(own) or each.resource_type == "font"]


def link(server: Running, tab: str, **values: str) -> str:
    """Return the link to a tab of the page."""
    query = f"?{urlencode(values)}" if values else ""
    return f"{server.address}/#{tab}{query}" if tab else f"{server.address}/"


def number(said: str) -> float:
    """Return the number that the page shows: with a true minus sign, and a plus where it is an effect."""
    return float(said.replace("−", "-").replace("+", ""))


def numbers(page: Any, selector: str) -> list[float]:
    """Return the numbers beside what is selected."""
    return [number(said) for said in page.eval_on_selector_all(selector, "all => all.map(each => each.dataset.n)")]


def texts(page: Any, selector: str) -> list[str]:
    """Return the text of each that is selected, letter by letter."""
    found: list[str] = page.eval_on_selector_all(selector, "all => all.map(each => each.textContent)")
    return found


def settled(page: Any) -> None:
    """Wait until nothing of what is seen is still asked for."""
    page.wait_for_selector("[role=tabpanel]:not([hidden]) [aria-busy=true]", state="detached")


def drawn(page: Any, tab: str) -> Any:
    """Wait until a tab is drawn."""
    page.wait_for_selector(f"#panel-{tab} {TABS[tab]}", state="attached")
    settled(page)
    return page


def check(page: Any) -> None:
    """Ask for leave-one-out, and wait until it is drawn."""
    page.click("#measure")
    page.wait_for_selector("figure:has(#effects) .tops", state="attached")
    settled(page)


def comes(page: Any, selector: str, text: str) -> None:
    """Wait until something says this."""
    page.locator(selector, has_text=text).first.wait_for()


def in_link(page: Any, part: str) -> None:
    """Wait until the address says this."""
    wait_for(lambda: part in page.evaluate("location.href"))  # page.url stands still while nothing else is asked
