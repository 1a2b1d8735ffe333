"""Search: the hits are those of the index, and a wrong filter is told where it stands."""

from __future__ import annotations

import pytest
from tests.serve.page_in_browser import comes, drawn, in_link, number, settled
from tests.serve.running import wait_for

from heedful.search.index import Index

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow

QUERY = "a late parcel for my sister"
IDS = "#hits > li .head bdi"


def test_hits_come_while_one_types_and_are_those_of_the_index(see, index_folder):
    page = see("search")
    comes(page, "#search-said", "60 texts in this index")
    page.locator("#query").press_sequentially(QUERY)
    right = Index.open(index_folder).search(QUERY, 10)
    wait_for(lambda: page.locator(IDS).all_inner_texts() == [hit.id for hit in right])
    shown = [number(said) for said in page.locator("#hits > li .head b").all_inner_texts()]
    assert shown == pytest.approx([hit.score for hit in right], abs=0.00051)
    assert page.locator("#hits .text").first.evaluate("it => it.textContent") == right[0].text
    assert page.locator("#hits > li mark").count() > 0


def test_so_many_hits_as_are_asked_for(see):
    page = drawn(see("search", query=QUERY, n="3"), "search")
    assert page.locator("#hits > li").count() == 3
    page.fill("#search-n", "5")
    wait_for(lambda: page.locator("#hits > li").count() == 5)


def test_a_filter_holds_and_a_wrong_one_is_told_in_place(see):
    page = drawn(see("search", query=QUERY, where="stars >= 4", said=("400",)), "search")
    assert set(page.locator("#hits .columns dd").all_inner_texts()) == {"4"}
    page.fill("#where", "stairs >= 4")
    comes(page, "#where-trouble", "Did you mean stars?")
    assert page.get_attribute("#where", "aria-invalid") == "true"
    assert page.locator("#hits > li").count() == 0
    page.fill("#where", "stars > 99")
    comes(page, "#search-said", "No text passes this filter")
    assert page.get_attribute("#where", "aria-invalid") is None


def test_a_filter_is_put_together_by_pressing_its_example(see):
    page = drawn(see("search", query=QUERY), "search")
    page.click("#panel-search summary")
    page.click("[aria-label='Add the condition stars >= 4']")
    in_link(page, "where=stars")
    settled(page)
    wait_for(lambda: set(page.locator("#hits .columns dd").all_inner_texts()) == {"4"})


def test_a_hit_is_compared_with_the_query(see):
    page = drawn(see("search", query=QUERY, n="1", by="meaning"), "search")
    text, score = page.inner_text("#hits .text"), number(page.inner_text("#hits .head b"))
    page.click(".compare-link")
    drawn(page, "compare")
    assert (page.input_value("#first"), page.input_value("#second")) == (QUERY, text)
    assert number(page.inner_text("#similarity strong")) == pytest.approx(score, abs=0.0011)
    page.go_back()
    page.wait_for_selector("#panel-search:visible")


def test_the_parts_of_a_score_are_shown_and_add_up(see):
    page = drawn(see("search", query=QUERY, n="3"), "search")
    for hit in page.locator("#hits > li").all():
        words, meaning = hit.locator(".parts").inner_text().replace("=", "").replace("−", "+ −").split("+")
        total = number(words.split()[0]) + number(meaning.replace("meaning", "").replace(" ", ""))
        assert total == pytest.approx(number(hit.locator(".head b").inner_text()), abs=1e-6)
    assert page.locator("#hits mark.literal").count() > 0


def test_words_or_meaning_alone_are_asked_for(see):
    page = drawn(see("search", query=QUERY), "search")
    page.select_option("#search-by", "words")
    in_link(page, "by=words")
    comes(page, "#search-said", "share of the query")
    assert page.locator("#hits .parts").count() == 0
    page.select_option("#search-by", "meaning")
    comes(page, "#search-said", "similarity to the query")
    assert page.locator("#hits mark.literal").count() == 0
