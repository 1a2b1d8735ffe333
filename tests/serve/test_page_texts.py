"""Texts of every kind: long, hostile, of emoji, from the right. On every tab they are text, and nothing else."""

from __future__ import annotations

import pytest
from tests.hostile_text import HOSTILE
from tests.serve.page_in_browser import DESK, PHONE, TEXT, check, comes, drawn, settled, texts
from tests.serve.running import WORDS, wait_for

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow

EMOJI = "😀👩‍👩‍👧 the parcel 🎉 came 𝒍ate"
HEBREW = "שלום עולם, the parcel היה lovely"
MADE = "main :is(script, img, iframe, svg, link, style, meta, form, object, embed)"
HOSTILE_VALUES = {
    "read": {"text": HOSTILE, "label": HOSTILE, "without": HOSTILE, "sort": HOSTILE},
    "compare": {"first": HOSTILE, "second": HOSTILE},
    "steps": {"text": HOSTILE, "layer": HOSTILE, "head": HOSTILE},
    "search": {"query": HOSTILE, "index": HOSTILE},
}
SHOWN = {
    "read": "#heatmap",
    "compare": "#panel-compare .text >> nth=0",
    "steps": "#steps-words .text",
    "search": "#query",
}


@pytest.mark.parametrize("tab", HOSTILE_VALUES)
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_hostile_text_is_only_text(see, tab, width):
    page = drawn(see(tab, width=width, **HOSTILE_VALUES[tab]), tab)
    assert page.locator(MADE).count() == 0
    assert page.title() == f"{tab.title()} · heedful"
    shown = page.locator(SHOWN[tab])
    assert shown.evaluate("it => it.value ?? it.textContent") == HOSTILE
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, f"the page is {wide} wide on a screen of {width}"


def test_a_hostile_name_of_a_model_or_a_tab_is_only_text(see):
    page = drawn(see("read", text=TEXT, model=HOSTILE), "read")
    assert page.inner_text(".missing").startswith("There is no model <script>")
    page = see("<img src=x onerror=alert(1)>", text=TEXT)
    page.wait_for_selector("#tab-read[aria-selected=true]")
    assert page.locator("img").count() == 0


@pytest.mark.parametrize(
    "text", [EMOJI, HEBREW, "أهلا 😀 وسهلا the best", "未知の文字列 parcel", "a\u0301 e\u0301le\u0300ve"]
)
def test_words_stand_where_they_stand_in_any_script(see, shown, text):
    page = drawn(see("read", text=text), "read")
    assert texts(page, "#heatmap [data-word]") == [word.text for word in shown.explain(text).words]
    assert page.locator("#heatmap").evaluate("it => it.textContent") == text
    page.click('#heatmap [data-word="0"]')
    wait_for(lambda: texts(page, "#heatmap .gone") == [shown.explain(text).words[0].text])
    settled(page)


def test_a_text_from_the_right_is_walked_from_the_right(see):
    page = drawn(see("read", text=HEBREW), "read")
    assert page.evaluate("getComputedStyle(document.querySelector('#heatmap')).direction") == "rtl"
    page.focus('#heatmap [data-word="0"]')
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.word") == "1"


def test_a_text_of_ten_thousand_words_is_cut_off_and_the_page_says_so(see, shown):
    long = " ".join((WORDS.split() * 700)[:10_000])
    page = drawn(see("read", text=TEXT), "read")
    page.fill("#text", long)
    page.wait_for_selector("#cut-note")
    n = len(shown.explain(long, methods=[]).words)
    assert n < 10_000
    assert f"read the first {n:,} words" in page.inner_text("#cut-note")
    assert "10,000 words" in page.inner_text("#text-note")
    assert page.locator("#heatmap [data-word]").count() == n
    assert "more characters" in page.inner_text("#heatmap .unread")
    assert "too long for a link" in page.inner_text("#link-note")
    page.click("#tab-model")
    drawn(page, "model")
    page.click("#tab-read")
    page.wait_for_selector("#cut-note")
    assert page.input_value("#text") == long
    page.click('#heatmap [data-word="0"]')
    comes(page, "#change", "Without “the”")


def test_a_text_that_is_too_long_for_a_link_is_asked_for_again(see):
    page = see("read", **{"left-out": "text"})
    comes(page, ".remark", "too long for this link")
    page.fill("#text", TEXT)
    drawn(page, "read")
    assert page.locator("#read-trouble .remark").count() == 0


@pytest.mark.parametrize("model", ["reviews", "unsummed"])
def test_leave_one_out_of_a_long_text_waits_until_it_is_asked_for(see, model):
    long = " ".join((WORDS.split() * 30)[:320])
    page = see("read", text=long, model=model, check="1")
    page.wait_for_selector("#measure")
    assert page.locator("figure:has(#effects) .tops").count() == 0
    check(page)
    assert page.locator("#measure").count() == 0
