"""Compare: the similarity is the model's, and its cells sum to it."""

from __future__ import annotations

import pytest
from tests.serve.page_in_browser import comes, drawn, in_link, number, numbers, settled
from tests.serve.running import wait_for

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow

FIRST, SECOND = "A man plays a guitar", "Someone makes music"
CELLS = "#pair-matrix td.c"


def similarity(page):
    return number(page.inner_text("#similarity strong"))


def test_the_similarity_and_its_cells_are_those_of_the_model(see, models):
    page = drawn(see("compare", first=FIRST, second=SECOND), "compare")
    found = models["en-base"].similarity(FIRST, SECOND)
    assert similarity(page) == pytest.approx(found.score, abs=0.00051)
    assert numbers(page, CELLS) == pytest.approx(found.matrix.ravel().tolist(), abs=0.000051)
    assert sum(numbers(page, CELLS)) == pytest.approx(found.score, abs=0.0008)


def test_the_sums_of_rows_and_columns_are_shown(see, models):
    page = drawn(see("compare", first=FIRST, second=SECOND), "compare")
    rows, columns = models["en-base"].similarity(FIRST, SECOND).by_word
    shown = [number(said) for said in page.locator("#pair-matrix tbody td.sum").all_inner_texts()]
    assert shown == pytest.approx(rows.tolist(), abs=0.00051)
    shown = [number(said) for said in page.locator("#pair-matrix tfoot td.sum:not(.whole)").all_inner_texts()]
    assert shown == pytest.approx(columns.tolist(), abs=0.00051)


def test_what_is_typed_is_compared(see, models):
    page = drawn(see("compare", first=FIRST, second=SECOND), "compare")
    page.fill("#second", FIRST)
    wait_for(lambda: similarity(page) == 1)
    page.select_option("#compare-model", "en-tiny")
    settled(page)
    page.fill("#first", SECOND)
    right = models["en-tiny"].similarity(SECOND, FIRST).score
    wait_for(lambda: similarity(page) == pytest.approx(right, abs=0.00051))
    in_link(page, "model=en-tiny")


def test_a_text_without_words_is_like_nothing(see):
    page = drawn(see("compare", first=FIRST, second=SECOND), "compare")
    for nothing in ("  ", "\u200b"):
        page.fill("#second", nothing)
        comes(page, "#similarity", "both boxes")


def test_a_word_that_has_the_focus_shows_its_pairs(see):
    page = drawn(see("compare", first="A guitar", second=SECOND), "compare")
    page.locator("#panel-compare .text .w").first.focus()
    page.keyboard.press("ArrowRight")
    assert "“guitar” adds" in page.inner_text("#compare-readout")
    assert page.locator("#pair-matrix td.along").count() == 3


def test_cells_are_walked_by_arrow_keys(see):
    page = drawn(see("compare", first="A guitar", second=SECOND), "compare")
    page.locator(CELLS).first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    assert page.inner_text("#compare-readout").startswith("“guitar” and “music”")


def test_texts_are_swapped_and_back_undoes_it(see):
    page = drawn(see("compare", first="one two", second="three"), "compare")
    page.click("#swap")
    in_link(page, "first=three")
    assert (page.input_value("#first"), page.input_value("#second")) == ("three", "one two")
    page.go_back()
    wait_for(lambda: page.input_value("#first") == "one two")


def test_many_words_are_folded_and_still_sum_to_the_whole(see):
    text = " ".join(["river cat dog sun moon tree stone music guitar house"] * 8)
    page = drawn(see("compare", first=text, second=text), "compare")
    assert page.locator("#pair-matrix tbody tr").count() == 41
    assert page.inner_text("#pair-matrix td.whole") == page.inner_text("#similarity strong") == "1.000"
