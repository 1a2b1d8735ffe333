"""Steps: the numbers are those of `steps_of`, for the word, layer and head that are chosen."""

from __future__ import annotations

import pytest
from tests.serve.page_in_browser import comes, drawn, in_link, number, numbers, texts
from tests.serve.running import wait_for

from heedful.explain.steps.self_attention_maps import looks_of
from heedful.explain.steps.steps import steps_of
from heedful.show.steps.sentences import sentences

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow

ANIMAL = "The animal didn't cross the street because it was too tired"
FLIES = {"text": "time flies like an arrow", "second": "fruit flies like a banana", "word": "flies"}
FOLLOWED = "[data-step-word][aria-pressed=true]"


def column(page, nth):
    """Return the numbers of a column of the step that is shown."""
    rows = page.locator(".stage .list tbody tr:not(.total):not(.query)").all()
    return [number(row.locator("td.n").nth(nth).inner_text()) for row in rows]


def stage(page):
    return page.inner_text(".stage h2")


def test_the_numbers_of_each_step_are_the_models_own(see, models):
    page = drawn(see("steps", step="2", layer="2", head="3"), "steps")
    own = steps_of(models["en-tiny"], ANIMAL, word="it", layer=2, head=3)
    assert page.inner_text(FOLLOWED) == "it"
    assert column(page, 0) == pytest.approx(own.scores.tolist(), abs=0.0051)
    page.click("#step-next")
    assert "√16" in stage(page)
    assert column(page, 1) == pytest.approx(own.scaled.tolist(), abs=0.0051)
    page.click("#step-next")
    assert "Softmax" in stage(page)
    assert column(page, 2) == pytest.approx(own.weights.tolist(), abs=0.0051)


def test_the_matrix_is_where_each_word_looks(see, models):
    page = drawn(see("steps", layer="2", head="4"), "steps")
    looks = looks_of(models["en-tiny"], ANIMAL).to_dict()
    said = page.eval_on_selector_all("#steps-matrix td.c", "all => all.map(each => each.dataset.n)")
    shown = [number(each.rpartition(": ")[2]) for each in said]
    assert shown == pytest.approx([w for row in looks["weights"][1][3] for w in row], abs=0.00051)
    words = [word["text"] for word in looks["words"]]
    assert texts(page, "#steps-matrix tbody th") == words
    row = numbers(page, "[data-step-word]")
    assert row == pytest.approx(looks["weights"][1][3][words.index("it")], abs=0.00051)


def test_steps_go_on_and_back_by_buttons_and_arrow_keys(see, models):
    page = drawn(see("steps"), "steps")
    (first, _), *others = sentences(steps_of(models["en-tiny"], ANIMAL, word="it")).values()
    assert first in stage(page)
    assert page.is_disabled("#step-prev")
    for title, text in others:
        page.click("#step-next")
        assert title in stage(page)
        assert text in page.inner_text(".stage")
    page.keyboard.press("ArrowRight")
    assert "All words at once" in stage(page)
    page.click("#step-next")
    assert "The heads are joined" in stage(page)
    assert page.is_disabled("#step-next")
    page.click("#step-prev")
    assert "All words at once" in stage(page)
    in_link(page, "step=7")
    page.click("#step-all")
    assert page.locator(".stage").count() == 8


def test_a_word_that_is_pressed_is_followed_though_it_occurs_twice(see, models):
    page = drawn(see("steps", step="4"), "steps")
    words = texts(page, "[data-step-word]")
    second = [i for i, word in enumerate(words) if word.lower() == "the"][1]
    page.click(f'[data-step-word="{second}"]')
    wait_for(lambda: page.locator(FOLLOWED).get_attribute("data-step-word") == str(second))
    in_link(page, "nth=2")
    own = steps_of(models["en-tiny"], ANIMAL, word="it")  # the head that the page begins with, and keeps
    right = looks_of(models["en-tiny"], ANIMAL).to_dict()["weights"][own.layer][own.head][second]
    wait_for(lambda: numbers(page, "[data-step-word]") == pytest.approx(right, abs=0.00051))
    wait_for(lambda: column(page, 2) == pytest.approx(right, abs=0.0051))
    page.keyboard.press("ArrowRight")
    page.click("#step-all")
    assert page.locator("#step-8 table").count() == 1, "the heads are joined for this word too"


def test_layer_and_head_are_chosen_by_list_and_by_picture(see, models):
    page = drawn(see("steps", step="4", layer="1", head="1"), "steps")
    page.select_option("#layer", "2")
    comes(page, "h3", "Layer 2, head 1")
    page.click("[data-key=head-1-2]")
    comes(page, "h3", "Layer 2, head 3")
    assert (page.input_value("#layer"), page.input_value("#head")) == ("2", "3")
    right = steps_of(models["en-tiny"], ANIMAL, word="it", layer=2, head=3).weights.tolist()
    wait_for(lambda: column(page, 2) == pytest.approx(right, abs=0.0051))
    page.go_back()
    comes(page, "h3", "Layer 2, head 1")


def test_another_text_is_read_while_one_types(see):
    page = drawn(see("steps"), "steps")
    page.fill("#steps-text", "Kim saw it")
    wait_for(lambda: texts(page, "[data-step-word]") == ["Kim", "saw", "it"])
    page.fill("#steps-text", "")
    comes(page, "#steps-result", "Write a text")


def test_one_word_in_two_texts(see):
    page = see("steps", **FLIES)
    comes(page, "#two-texts", "cosine")
    page.click("[aria-label='Walk through layer 2, head 1 in the second text']")
    drawn(page, "steps")
    assert page.inner_text(FOLLOWED) == "flies"
    assert page.input_value("#steps-text") == FLIES["second"]
    assert page.input_value("#layer") == "2"


def test_texts_that_share_no_word_are_told_so(see):
    page = see("steps", text="time flies", second="green grass", said=("400",))
    comes(page, "#steps-result", "no word in common")
