"""Read: the answer, the heatmaps and the hops are those of the model, and follow what is typed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.serve.page_in_browser import TEXT, check, comes, drawn, in_link, number, numbers, settled, texts
from tests.serve.running import wait_for

from heedful.show.heatmaps.waterfall import waterfall

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow

CLOSE = 0.00051  # the page shows three digits, and two in a sum
LOO = ["leave-one-out"]


def words(page):
    return texts(page, "#heatmap [data-word]")


def bars(page):
    """Return the waterfall as it is shown: names and numbers."""
    rows = page.eval_on_selector_all(
        "#sum .waterfall tr", "all => all.map(row => [row.firstChild, row.lastChild].map(each => each.textContent))"
    )
    return [tuple(row) for row in rows]


def sum_of(explanation, label=None):
    """Return the waterfall as it is to be shown."""
    each = waterfall(explanation, label).bars
    return [(f"{bar.name} × {bar.times}" if bar.times > 1 else bar.name, bar.number) for bar in each]


def shows(page, found):
    """Assert that the page shows an explanation."""
    wait_for(lambda: words(page) == [word.text for word in found.words])
    settled(page)
    assert number(page.inner_text("#answer .said-answer .figure")) == pytest.approx(
        found.probabilities[found.label], abs=0.0051
    )
    assert found.label in page.inner_text("#answer .said-answer")
    assert numbers(page, "#heatmap [data-word]") == pytest.approx(found.contributions_to().tolist(), abs=CLOSE)
    assert numbers(page, "#attention .w") == pytest.approx(found.overall.tolist(), abs=CLOSE)
    assert bars(page) == sum_of(found)
    check(page)
    assert numbers(page, "#effects .w") == pytest.approx(found.left_out.tolist(), abs=CLOSE)


def asked(page):
    """Return a list of the bodies that the page will ask to explain."""
    bodies = []
    page.on("request", lambda request: bodies.append(request.post_data_json) if "/explain" in request.url else None)
    return bodies


def test_answer_and_heatmaps_are_those_of_the_model(see, shown):
    shows(drawn(see("read", text=TEXT), "read"), shown.explain(TEXT, methods=LOO))


def test_what_is_typed_changes_the_answer_and_the_heatmaps(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    typed = "awful and broken, the worst"
    page.fill("#text", "")
    page.wait_for_selector("#results", state="hidden")
    page.locator("#text").press_sequentially(typed)
    shows(page, shown.explain(typed, methods=LOO))
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


def test_contributions_come_with_one_quick_request(see):
    page = drawn(see("read", text=TEXT), "read")
    bodies = asked(page)
    page.fill("#text", "a lovely parcel")
    wait_for(lambda: words(page) == ["a", "lovely", "parcel"])
    settled(page)
    assert [each["methods"] for each in bodies] == [[]]
    assert page.locator("figure:has(#effects)").count() == 0


def test_the_waterfall_goes_from_the_bias_to_the_score_and_the_probability(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    found = shown.explain(TEXT)
    fall = waterfall(found)
    assert bars(page) == sum_of(found)
    names = [name for name, _ in bars(page)]
    assert (names[0], names[-2:]) == ("bias", ["5 other words", "score"])
    assert page.inner_text("#sum .result") == f"→ {fall.result}"
    assert fall.account in page.inner_text("#sum")
    boxes = page.eval_on_selector_all("#sum .step", "all => all.map(each => each.getBoundingClientRect().toJSON())")
    track = page.locator("#sum .track").first.bounding_box()
    for box, bar in zip(boxes, fall.bars, strict=True):
        assert box["left"] == pytest.approx(track["x"] + track["width"] * bar.left / 100, abs=0.5)
        assert box["width"] == pytest.approx(max(2, track["width"] * bar.width / 100), abs=0.5)


def test_a_bar_marks_its_words_in_the_heatmaps(see):
    page = drawn(see("read", text="late parcel, late and lovely"), "read")
    page.locator("#sum tr", has_text="late × 2").hover()
    assert texts(page, "#heatmap .same") == ["late", "late"]
    assert texts(page, "#attention .same") == ["late", "late"]


def shows_label(page, found, label):
    """Assert that contributions, waterfall and hops are those of a label."""
    comes(page, "figure:has(#heatmap) figcaption b", label)
    settled(page)
    assert numbers(page, "#heatmap .w") == pytest.approx(found.contributions_to(label).tolist(), abs=CLOSE)
    assert bars(page) == sum_of(found, label)
    assert hop_adds(page) == pytest.approx(found.hop_contributions_to(label).tolist(), abs=CLOSE)
    assert page.locator("#answer [aria-pressed=true]").all_inner_texts() == [label]


def other_label(model):
    return next(label for label in model.labels if label != model.explain(TEXT).label)


def test_a_label_that_is_chosen_is_drawn_from_what_is_there(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    found, other = shown.explain(TEXT), other_label(shown)
    bodies = asked(page)
    page.select_option("#read-label", other)
    shows_label(page, found, other)
    assert f"different label: {found.label}" in page.inner_text("figure:has(#heatmap)")
    in_link(page, f"label={other}")
    page.select_option("#read-label", "")
    shows_label(page, found, found.label)
    assert bodies == []


def test_a_label_is_chosen_in_the_answer(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    found, other = shown.explain(TEXT), other_label(shown)
    bodies = asked(page)
    page.click(f"#answer button:has-text('{other}')")
    shows_label(page, found, other)
    assert page.input_value("#read-label") == other
    assert page.evaluate("document.activeElement.textContent") == other, "the focus stays with the label"
    in_link(page, f"label={other}")
    page.focus(f"#answer button:has-text('{found.label}')")
    page.keyboard.press("Enter")
    shows_label(page, found, found.label)
    assert page.input_value("#read-label") == ""
    assert bodies == []
    page.go_back()
    shows_label(page, found, other)


def test_a_label_that_is_not_there_is_asked_for(see, shown):
    page = drawn(see("read", text="one"), "read")
    other = other_label(shown)

    def without_other(route):
        answer = route.fetch()
        whole = answer.json()
        if "label" not in route.request.post_data_json:
            del whole["data"][0]["view"]["contributions"][other]
        route.fulfill(response=answer, json=whole)

    page.route("**/explain", without_other)
    bodies = asked(page)
    page.fill("#text", TEXT)
    wait_for(lambda: words(page) == TEXT.split())
    page.click(f"#answer button:has-text('{other}')")
    shows_label(page, shown.explain(TEXT), other)
    assert [(each.get("label"), each["methods"]) for each in bodies] == [(None, []), (other, [])]


def test_the_check_is_asked_for_and_is_for_the_label_that_is_chosen(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    assert page.inner_text("#measure") == "Check by removing each word"
    assert page.locator("#effects").count() == 0
    check(page)
    assert page.evaluate("document.activeElement.closest('#effects') !== null"), "the focus goes on to what came"
    in_link(page, "check=1")
    for label in (other_label(shown), shown.explain(TEXT).label):
        page.select_option("#read-label", label)
        comes(page, "figure:has(#effects) figcaption b", label)
        page.wait_for_selector("figure:has(#effects) .tops", state="attached")
        right = shown.explain(TEXT, label=label, methods=LOO)
        assert right.target == label
        assert numbers(page, "#effects .w") == pytest.approx(right.left_out.tolist(), abs=CLOSE)
    page.locator("#text").press_sequentially("s")
    page.wait_for_selector("#measure")
    assert page.locator("#effects").count() == 0


def test_without_contributions_there_are_attention_and_leave_one_out(see, unsummed):
    page = drawn(see("read", text=TEXT, model="unsummed"), "read")
    found = unsummed.explain(TEXT)
    assert found.contributions is None
    assert found.left_out is not None
    assert numbers(page, "#heatmap [data-word]") == pytest.approx(found.overall.tolist(), abs=CLOSE)
    assert numbers(page, "#effects .w") == pytest.approx(found.left_out.tolist(), abs=CLOSE)
    assert hop_adds(page) == pytest.approx(found.hop_effects.tolist(), abs=CLOSE)
    assert page.locator("#sum .waterfall, #attention, #measure").count() == 0
    other = other_label(unsummed)
    page.click(f"#answer button:has-text('{other}')")
    comes(page, "figure:has(#effects) figcaption b", other)
    page.wait_for_selector("figure:has(#effects) .tops", state="attached")
    right = unsummed.explain(TEXT, label=other)
    assert numbers(page, "#effects .w") == pytest.approx(right.left_out.tolist(), abs=CLOSE)
    in_link(page, f"label={other}")


def test_another_model_can_be_chosen(see, models):
    page = drawn(see("read", text=TEXT), "read")
    page.select_option("#read-model", "price")
    comes(page, "#answer", "price")
    settled(page)
    found = models["price"].explain(TEXT)
    assert number(page.inner_text("#answer strong")) == pytest.approx(found.probabilities["price"], abs=0.0051)
    assert "what each word adds to the number" in page.inner_text("figure:has(#heatmap)")
    assert numbers(page, "#heatmap .w") == pytest.approx(found.contributions_to().tolist(), abs=CLOSE)
    assert bars(page) == sum_of(found)
    assert page.locator("#sum .result").count() == 0, "a number has no probability"
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
    assert hop_order(page) == [int(i) + 1 for i in np.argsort(-found.hop_contributions_to(), kind="stable")]
    page.select_option("#hop-sort", "number")
    assert hop_order(page) == [1, 2, 3]


def hop_adds(page):
    return [number(said) for said in texts(page, "[data-hop] .fact .figure")]


def test_what_a_hop_adds_is_that_of_the_model(see, shown):
    page = drawn(see("read", text=TEXT), "read")
    assert hop_adds(page) == pytest.approx(shown.explain(TEXT).hop_contributions_to().tolist(), abs=CLOSE)
    assert "the score is also the bias plus all hops" in page.inner_text("#hops")
