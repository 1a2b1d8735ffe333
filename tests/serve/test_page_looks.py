"""For everyone: phones, dark and light, keys alone, screen readers; nothing from another host."""

from __future__ import annotations

import re

import pytest
from tests.serve.page_in_browser import DESK, PHONE, STATES, TABS, drawn, settled

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow

OPEN_ALL = "all => all.forEach(one => one.open = true)"


def lightness(page):
    """Return how light the ground and the ink are, from 0 to 255."""
    said = page.evaluate(
        "(({backgroundColor, color}) => [backgroundColor, color])(getComputedStyle(document.documentElement))"
    )
    return [int(re.match(r"rgb\((\d+),", each)[1]) for each in said]


def wide(page):
    return page.evaluate("document.documentElement.scrollWidth")


def serious(page):
    """Return what axe finds that keeps somebody out."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    bad = [each for each in found if each["impact"] in ("serious", "critical")]
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in bad]


@pytest.mark.parametrize(("scheme", "width"), [("light", DESK), ("dark", PHONE)])
@pytest.mark.parametrize("tab", TABS)
def test_everyone_can_use_each_tab(see, tab, scheme, width):
    page = drawn(see(tab, scheme=scheme, width=width, **STATES.get(tab, {})), tab)
    page.locator("details").evaluate_all(OPEN_ALL)
    assert wide(page) <= width, f"{tab} is {wide(page)} wide on a screen of {width}"
    assert serious(page) == []


def test_more_of_a_tab_can_be_used_by_everyone(see):
    more = [
        ("read", {**STATES["read"], "without": "1,3", "hops": "1,2"}, "#undo-all"),
        ("read", {**STATES["read"], "check": "1", "label": "bad"}, "figure:has(#effects) .tops"),
        ("read", {**STATES["read"], "model": "unsummed"}, "figure:has(#effects) .tops"),
        ("read", {**STATES["read"], "model": "many"}, "#answer:has-text('predicted on its own')"),
        ("read", {**STATES["read"], "model": "price"}, "#answer:has-text('price')"),
        ("steps", {"all": "1"}, "#step-8"),
        ("steps", {"text": "time flies", "second": "fruit flies", "word": "flies"}, "#two-texts"),
    ]
    page = drawn(see("read", **STATES["read"]), "read")
    for tab, values, ready in more:
        page.evaluate("to => { location.hash = to; }", f"{tab}?" + "&".join(f"{k}={v}" for k, v in values.items()))
        page.wait_for_selector(f"#panel-{tab} {ready}", state="attached")
        settled(page)
        page.set_viewport_size({"width": PHONE, "height": 740})
        assert wide(page) <= PHONE, (tab, values)
        page.set_viewport_size({"width": DESK, "height": 740})
        assert serious(page) == [], (tab, values)


def test_dark_and_light_follow_the_system_and_the_button_which_is_remembered(see):
    page = drawn(see("read", scheme="dark", **STATES["read"]), "read")
    ground, ink = lightness(page)
    assert ground < 80 < 170 < ink
    assert page.inner_text("#theme") == "Light"
    page.click("#theme")
    ground, ink = lightness(page)
    assert ink < 80 < 170 < ground
    page.reload()
    drawn(page, "read")
    assert lightness(page)[0] > 170
    page.emulate_media(color_scheme="light")
    page.click("#theme")
    assert lightness(page)[0] < 80


def test_tabs_are_walked_by_keys_alone(see):
    page = drawn(see("read", **STATES["read"]), "read")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "tab-read"
    for tab in [*list(TABS)[1:], "read"]:
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"#panel-{tab}:visible")
        assert page.evaluate("document.activeElement.id") == f"tab-{tab}"
        assert page.locator('[role=tab][tabindex="0"]').count() == 1
        assert page.locator("[role=tabpanel]:visible").count() == 1
    page.keyboard.press("End")
    page.wait_for_selector("#panel-model:visible")
    page.keyboard.press("Home")
    page.wait_for_selector("#panel-read:visible")
    for _ in range(3):  # copy link, theme, and then into the panel
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#panel-read') !== null")


def test_the_skip_link_leads_to_the_content(see):
    page = drawn(see("read", **STATES["read"]), "read")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    assert "#read?" in page.url, "the link is still that of the tab"


def test_every_thing_with_the_focus_shows_that_it_has_it(see):
    page = drawn(see("read", **STATES["read"]), "read")
    seen = []
    for _ in range(18):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                "() => { const it = document.activeElement, s = getComputedStyle(it);"
                " return [it.id || it.className || it.tagName, s.outlineStyle !== 'none' || s.boxShadow !== 'none']; }"
            )
        )
    assert [name for name, is_shown in seen if not is_shown and name != "BODY"] == []


def test_fonts_are_the_systems_own(see):
    page = drawn(see("read", **STATES["read"]), "read")
    assert page.evaluate("document.fonts.size") == 0
    families = page.evaluate(
        "[...document.querySelectorAll('body, textarea, pre, h2')].map(e => getComputedStyle(e).fontFamily)"
    )
    assert all("system-ui" in family or "monospace" in family for family in families), set(families)


def test_a_script_from_elsewhere_would_be_stopped_by_the_policy(see):
    page = see("read", said=("Content Security Policy",), **STATES["read"])
    drawn(page, "read")
    with page.expect_console_message(lambda said: "Content Security Policy" in said.text):
        page.evaluate(
            "() => { const it = document.createElement('script'); it.textContent = 'document.title = `run`';"
            " document.body.append(it); }"
        )
    assert page.title() == "Read · heedful"
    blocked = "fetch('https://evil.example/').then(() => 'sent', () => 'stopped')"
    assert page.evaluate(blocked) == "stopped"
