"""Read: the answer, the heatmaps and the hops are those of the model, and follow what is typed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.serve.page_in_browser import TEXT, comes, drawn, in_link, number, numbers, settled, texts
from tests.serve.running import wait_for

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow

CLOSE = 0.00051  # the page shows three digits
EFFECTS = "figure:has(#effects) .tops"


def words(page):
    return texts(page, "#heatmap [data-word]")


def shows(page, found):
    """Assert that the page shows an explanation."""
    wait_for(lambda: words(page) == [word.text for word in found.words])
    page.wait_for_selector(EFFECTS, state="attached")
    settled(page)
    assert number(page.inner_text("#answer .said-answer .figure")) == pytest.approx(
        found.probabilities[found.label], abs=0.0051
    )
    assert found.label in page.inner_text("#answer .said-answer")
    assert numbers(page, "#heatmap [data-word]") == pytest.approx(found.overall.tolist(), abs=CLOSE)
    assert numbers(page, "#effects .w") == pytest.approx(found.left_out.tolist(), abs=CLOSE)


def test_answer_and_heatmaps_are_those_of_the_model(see, shown):
    shows(drawn(see("read", text=TEXT), "read"), shown.explain(TEXT))


def test_what_is_typed_changes_the_answer_and_the_heatmaps(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    typed = "awful and broken, the worst"
    page.fill("#text", "")
    page.wait_for_selector("#results", state="hidden")
    page.locator("#text").press_sequentially(typed)
    shows(page, shown.explain(typed))
    in_link(page, "awful")


def test_an_older_answer_never_overwrites_a_newer_one(see):
    page = drawn(see("read", text="one"), "read")
    held = []
    page.route(
        "**/explain", lambda route: held.append(route) if "slow" in route.request.post_data else route.continue_()
    )
    page.fill("#text", "slow parcel")
    wait_for(lambda: page.evaluate("1") and held)
    page.fill("#text", "lovely monday")
    wait_for(lambda: words(page) == ["lovely", "monday"])
    late = {"index": 0, "text": "slow parcel", "words": [], "hops": [], "label": "late", "probabilities": {"late": 1}}
    held[0].fulfill(json={"object": "list", "model": "reviews", "data": [late]})
    page.evaluate("fetch('health').then(found => found.text())")  # by now it would have been drawn
    assert words(page) == ["lovely", "monday"]
    assert "late" not in page.inner_text("#answer")


def test_a_text_of_no_words_has_no_answer(see):
    page = drawn(see("read", text=TEXT), "read")
    page.fill("#text", "  ")
    page.wait_for_selector("#results", state="hidden")
    assert page.input_value("#text") == "  "


def test_the_verdict_on_the_heatmaps_is_shown(see, shown):
    assert shown.verdict.level != "not audited"
    page = drawn(see("read", text=TEXT), "read")
    assert shown.verdict.words.replace("`", "") in page.inner_text("#verdict")


def test_effects_are_for_the_label_that_is_chosen(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    other = next(label for label in shown.labels if label != shown.explain(TEXT).label)
    page.select_option("#read-label", other)
    comes(page, "figure:has(#effects) figcaption b", other)
    page.wait_for_selector(EFFECTS, state="attached")
    settled(page)
    right = shown.explain(TEXT, label=other)
    assert right.target == other
    assert numbers(page, "#effects .w") == pytest.approx(right.left_out.tolist(), abs=CLOSE)
    in_link(page, f"label={other}")


def test_another_model_can_be_chosen(see, models):
    page = drawn(see("read", text=TEXT), "read")
    page.select_option("#read-model", "price")
    comes(page, "#answer", "price")
    page.wait_for_selector(EFFECTS, state="attached")
    found = models["price"].explain(TEXT)
    assert number(page.inner_text("#answer strong")) == pytest.approx(found.probabilities["price"], abs=0.0051)
    page.select_option("#read-model", "many")
    comes(page, "#answer", "Each label is predicted on its own")
    ends_of = "all => all.map(each => [each.firstChild, each.lastChild].map(end => end.textContent))"
    ends = page.eval_on_selector_all(".bars li", ends_of)  # inner_text has no line ends while it is drawn anew
    shown = {name: number(said) for name, said in ends}
    assert shown == pytest.approx(models["many"].explain(TEXT).probabilities, abs=0.0051)


# Hops


def hop_order(page):
    return [int(said) for said in page.eval_on_selector_all("[data-hop]", "all => all.map(each => each.dataset.hop)")]


def test_two_hops_stand_side_by_side_with_the_weights_of_each(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    found = shown.explain(TEXT)
    assert hop_order(page) == [1, 2, 3]
    for hop in (3, 1):
        page.check(f'[data-hop="{hop}"] input')
    assert page.locator("#hops .map figcaption b").all_inner_texts() == ["Hop 3", "Hop 1"]
    for place, hop in enumerate((3, 1)):
        weights = numbers(page, f"#hops .map:nth-of-type({place + 1}) .w")
        assert weights == pytest.approx(found.weights[hop - 1].tolist(), abs=CLOSE)
    boxes = [each.bounding_box() for each in page.locator("#hops .map").all()]
    assert boxes[0]["y"] == boxes[1]["y"]
    in_link(page, "hops=3,1")
    page.uncheck('[data-hop="3"] input')
    assert page.locator("#hops .map figcaption b").all_inner_texts() == ["Hop 1"]


def test_the_hops_chosen_are_saved_as_a_picture(see, shown):
    page = drawn(see("read", text=TEXT, hops="2,3"), "read")
    with page.expect_download() as started:
        page.click("#hops .saves button:has-text('SVG')")
    picture = Path(started.value.path()).read_text(encoding="utf-8")
    assert [hop for hop in (1, 2, 3) if f">Hop {hop}<" in picture] == [2, 3]
    found = shown.explain(TEXT)
    assert [word.text for word in found.words if f">{word.text}<" not in picture] == []
    assert f">{found.weights[1].max():.2f}<" in picture


def test_hops_are_sorted_by_what_they_add_and_by_focus(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    found = shown.explain(TEXT)
    page.select_option("#hop-sort", "focus")
    entropy = [-float((row * np.log(row)).sum()) for row in found.weights]
    assert hop_order(page) == [int(i) + 1 for i in np.argsort(entropy, kind="stable")]
    page.select_option("#hop-sort", "adds")
    assert hop_order(page) == [int(i) + 1 for i in np.argsort(-found.hop_effects, kind="stable")]
    page.select_option("#hop-sort", "number")
    assert hop_order(page) == [1, 2, 3]


def test_what_a_hop_adds_is_that_of_the_model(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    adds = [number(said) for said in page.locator("[data-hop] .fact .figure").all_inner_texts()]
    assert adds == pytest.approx(shown.explain(TEXT).hop_effects.tolist(), abs=CLOSE)
