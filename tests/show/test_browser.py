"""Pages in a real browser: what others wrote is text, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.hostile_text import HOSTILE

from heedful.show import heatmap, matrix
from heedful.show.heatmaps.page import page

pytest_plugins = ["tests.browser"]

PHONE, DESK = 390, 1200


class Seen:
    """A page that is open, and all that happened in it."""

    def __init__(self, browser, path: Path, *, width: int) -> None:
        self.page = browser.new_context(viewport={"width": width, "height": 800}).new_page()
        self.events: list[str] = []
        self.page.on("dialog", lambda dialog: (self.events.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("console", lambda message: self.events.append(f"console {message.text}"))
        self.page.on("pageerror", lambda error: self.events.append(f"error {error}"))
        self.page.on("request", lambda request: self.events.append(f"request {request.url}"))
        self.page.goto(path.as_uri())
        self.page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
        self.page.wait_for_timeout(200)
        self.others = [event for event in self.events if event != f"request {path.as_uri()}"]


@pytest.fixture
def seen(browser, tmp_path):
    opened = []

    def see(source: str, *, width: int = DESK) -> Seen:
        path = tmp_path / f"{len(opened)}.html"
        path.write_text(source, encoding="utf-8")
        opened.append(Seen(browser, path, width=width))
        return opened[-1]

    yield see
    for one in opened:
        one.page.context.close()


def hostile_pages(make):
    words = HOSTILE.split()
    n = len(words)
    return {
        "explanation": page([make(HOSTILE, label=HOSTILE, target=HOSTILE, hops=3)], title=HOSTILE, notes=[HOSTILE]),
        "heatmap": heatmap(words, np.ones(n), effects=np.arange(n) - 5, title=HOSTILE).to_html(),
        "matrix": matrix(words, np.ones((2, n, n)), title=HOSTILE).to_html(),
    }


@pytest.mark.parametrize("name", ["explanation", "heatmap", "matrix"])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_hostile_text_runs_nothing_asks_no_host_and_stays_within_the_page(make, seen, name, width):
    found = seen(hostile_pages(make)[name], width=width)
    assert found.events, "the page itself was asked for: the test would see other requests"
    assert found.others == []
    assert found.page.title() != "run"
    assert found.page.evaluate("document.querySelectorAll('script, img, iframe, link, svg').length") == 0
    wide = found.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, f"the page is {wide} wide on a screen of {width}"


def test_a_hostile_text_is_shown_letter_by_letter(make, seen):
    shown = seen(hostile_pages(make)["explanation"]).page.locator(".map .text").first.inner_text()
    assert " ".join(shown.split()) == " ".join(HOSTILE.split())


def test_a_script_of_ours_would_be_stopped_by_the_policy(make, seen):
    source = page([make("one two")])
    assert "</body>" in source
    found = seen(source.replace("</body>", "<script>alert(1)</script></body>"))
    assert len(found.others) == 1 and "Content Security Policy" in found.others[0]


def test_focus_shows_the_number_of_a_word(make, seen):
    found = seen(page([make("one two")]))
    number = "getComputedStyle(document.querySelector('.w'), '::after').content"
    assert found.page.evaluate(number) == "none"
    found.page.keyboard.press("Tab")
    assert found.page.evaluate("document.activeElement.textContent") == "one"
    assert found.page.evaluate(number).strip('"') == found.page.locator(".w").first.get_attribute("data-n")


def test_heatmaps_stand_side_by_side_on_a_desk_and_below_each_other_on_a_phone(make, seen):
    for width, is_beside in ((DESK, True), (PHONE, False)):
        boxes = [one.bounding_box() for one in seen(page([make("one two")]), width=width).page.locator(".map").all()]
        assert (boxes[0]["y"] == boxes[1]["y"]) is is_beside


def test_a_long_text_and_a_text_from_the_right_stay_within_a_phone(make, seen):
    long = make(" ".join(f"word{i}" for i in range(10_000)), hops=30)
    found = seen(page([long, make("السلام عليكم " * 30), make("未知" * 300)]), width=PHONE)
    assert found.others == [] and found.page.evaluate("document.documentElement.scrollWidth") <= PHONE
