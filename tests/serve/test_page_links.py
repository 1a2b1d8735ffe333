"""Any state is a link, which opens the same in a fresh page; Back and Forward go through them. Pictures are saved."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from tests.serve.page_in_browser import STATES, TABS, TEXT, check, comes, drawn, in_link, texts
from tests.serve.running import wait_for

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '<img src=x onerror=alert(1)> "quoted" & </script> 😀 عربي'


def copied(page):
    """Return the link that the page copies."""
    page.click("#copy-link")
    comes(page, "#copy-link", "Copied")
    return page.evaluate("navigator.clipboard.readText()")


def test_a_link_opens_what_was_seen_in_read(see):
    page = drawn(see("read", text=TEXT), "read")
    page.click('#heatmap [data-word="1"]')
    wait_for(lambda: page.locator("#heatmap .gone").count() == 1)
    page.check('[data-hop="2"] input')
    page.select_option("#hop-sort", "focus")
    page.select_option("#read-label", "bad")
    comes(page, "figure:has(#heatmap) figcaption b", "bad")
    drawn(page, "read")
    check(page)
    fresh = page.context.new_page()
    fresh.goto(copied(page))
    drawn(fresh, "read")
    fresh.wait_for_selector("figure:has(#effects) .tops", state="attached")
    for seen in (page, fresh):
        assert seen.input_value("#text") == TEXT
        assert texts(seen, "#heatmap .gone") == ["best"]
        assert texts(seen, "#hops .map figcaption b") == ["Hop 2"]
        assert (seen.input_value("#hop-sort"), seen.input_value("#read-label")) == ("focus", "bad")
    for part in ("#answer", "#sum", "#change", "#heatmap", "#attention", "#effects", ".hops"):
        assert fresh.inner_text(part) == page.inner_text(part)


@pytest.mark.parametrize(
    ("tab", "values", "boxes"),
    [
        ("compare", {"first": "one & two", "second": "drei=3?#", "model": "en-tiny"}, ["#first", "#second"]),
        (
            "steps",
            {"text": "it is 100 % 😀", "layer": "2", "head": "2", "step": "3"},
            ["#steps-text", "#layer"],
        ),
        ("search", {"query": "a late + parcel", "where": "stars >= 3", "n": "4"}, ["#query", "#where", "#search-n"]),
        ("model", {"model": "en-tiny"}, ["#model-model"]),
    ],
)
def test_a_link_opens_what_was_seen_elsewhere(see, tab, values, boxes):
    page = drawn(see(tab, **values), tab)
    fresh = page.context.new_page()
    fresh.goto(copied(page))
    drawn(fresh, tab)
    found = [fresh.input_value(box) for box in boxes]
    assert found == [page.input_value(box) for box in boxes]
    assert found[0] in values.values()
    assert fresh.inner_text(f"#panel-{tab}") == page.inner_text(f"#panel-{tab}")


def test_back_and_forward_go_through_tabs_and_states(see):
    page = drawn(see("read", text=TEXT), "read")
    page.check('[data-hop="2"] input')
    page.click("#tab-compare")
    drawn(page, "compare")
    page.click("#swap")
    in_link(page, "first=Someone")
    page.go_back()
    wait_for(lambda: page.input_value("#first").startswith("A man"))
    page.go_back()
    page.wait_for_selector("#panel-read:visible")
    assert texts(page, "#hops .map figcaption b") == ["Hop 2"]
    page.go_back()
    wait_for(lambda: page.locator("#hops .map").count() == 0)
    page.go_forward()
    wait_for(lambda: page.locator("#hops .map").count() == 1)
    page.go_forward()
    page.wait_for_selector("#panel-compare:visible")


def test_a_link_pasted_into_the_open_page_is_followed(see):
    page = drawn(see("read", text=TEXT), "read")
    page.evaluate("location.hash = '#compare?first=one&second=two'")
    drawn(page, "compare")
    assert page.input_value("#second") == "two"


@pytest.mark.parametrize(
    ("tab", "values"),
    [
        ("read", {"hops": "0,99,-1,x", "without": "99999999,x,3.5", "label": "none", "sort": "none", "model": "none"}),
        ("compare", {"model": "reviews"}),
        ("steps", {"layer": "99", "head": "-3", "step": "1e9", "nth": "7", "word": "none"}),
        ("search", {"index": "none", "n": "1e9", "query": "late"}),
    ],
)
def test_a_link_with_wrong_values_still_opens(see, tab, values):
    drawn(see(tab, **values), tab)


# Pictures

PICTURES = [("read", "heatmap"), ("read", "the hops"), ("compare", "the matrix"), ("steps", "the matrix")]


@pytest.fixture
def saved(tmp_path):
    def save(page, button):
        with page.expect_download() as started:
            page.click(button)
        started.value.save_as(tmp_path / "saved")
        return started.value.suggested_filename, (tmp_path / "saved").read_bytes()

    return save


@pytest.mark.parametrize(("tab", "what"), PICTURES)
def test_pictures_are_saved_as_svg_and_png(see, saved, tab, what):
    values = {"read": {"text": HOSTILE}, "compare": {"first": HOSTILE, "second": HOSTILE}, "steps": {"text": HOSTILE}}
    page = drawn(see(tab, **values[tab]), tab)
    name, content = saved(page, f"#panel-{tab} [aria-label='Save {what} as SVG']")
    assert name.endswith(".svg")
    root = ElementTree.fromstring(content)
    assert root.tag == f"{SVG}svg"
    assert {"script", "img", "iframe"}.isdisjoint(each.tag.removeprefix(SVG) for each in root.iter())
    assert any("onerror" in (each.text or "") for each in root.iter())
    name, content = saved(page, f"#panel-{tab} [aria-label='Save {what} as PNG']")
    assert name.endswith(".png")
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert content.endswith(b"IEND\xaeB`\x82")


def test_every_tab_has_a_name_in_the_link(see):
    page = see("read", **STATES["read"])
    for tab in TABS:
        page.click(f"#tab-{tab}")
        in_link(page, f"#{tab}")
        assert page.title() == f"{tab.title()} · heedful"
