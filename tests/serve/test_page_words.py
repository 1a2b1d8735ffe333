"""Read: words are removed and put back, by pointer and by keys."""

from __future__ import annotations

import pytest
from tests.serve.page_in_browser import TEXT, check, comes, drawn, in_link, number, numbers, settled, texts
from tests.serve.running import wait_for

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow

PLACES = {word: i for i, word in enumerate(TEXT.split())}
SHORTER = TEXT.replace("best ", "")


@pytest.fixture
def page(see):
    return drawn(see("read", text=TEXT), "read")


def press(page, word):
    page.click(f'#heatmap [data-word="{PLACES[word]}"]')


def gone(page):
    return texts(page, "#heatmap [data-word].gone")


def becomes(page, *words):
    """Wait until these are the words removed."""
    wait_for(lambda: gone(page) == list(words))
    settled(page)


def change(page):
    """Return the probabilities of the line of change."""
    before, after = page.inner_text("#change b").split(" → ")
    return [number(before.split()[-1]), number(after)]


def test_a_word_that_is_pressed_is_taken_away_and_the_change_is_told(page, shown):
    press(page, "best")
    becomes(page, "best")
    before, after = shown.explain(TEXT), shown.explain(SHORTER)
    right = [each.probabilities[before.label] for each in (before, after)]
    assert page.inner_text("#change").startswith(f"Without “best”: {before.label} ")
    assert change(page) == pytest.approx(right, abs=0.0051)
    assert ("The answer is now" in page.inner_text("#change")) is (before.label != after.label)
    assert number(page.inner_text("#answer .figure >> nth=0")) == pytest.approx(
        after.probabilities[after.label], abs=0.0051
    )
    comes(page, "#live", "Without “best”")
    in_link(page, f"without={PLACES['best']}")


def test_the_heatmaps_are_then_those_of_the_shorter_text(page, shown):
    press(page, "best")
    becomes(page, "best")
    right = shown.explain(SHORTER, methods=["leave-one-out"])
    contributions = right.contributions_to()
    assert numbers(page, "#heatmap [data-word]:not(.gone)") == pytest.approx(contributions.tolist(), abs=0.00051)
    assert numbers(page, "#attention .w:not(.gone)") == pytest.approx(right.overall.tolist(), abs=0.00051)
    assert [number(said) for said in texts(page, "#sum .total .n")] == pytest.approx(
        [right.scores[right.labels.index(right.label)]], abs=0.0051
    )
    check(page)
    wait_for(lambda: all(page.eval_on_selector_all("#effects .w", "all => all.map(each => each.dataset.n)")))
    assert numbers(page, "#effects .w:not(.gone)") == pytest.approx(right.left_out.tolist(), abs=0.00051)
    assert "removed" in page.get_attribute("#heatmap .gone", "aria-label")


def test_words_are_put_back_by_pressing_them_by_undo_and_all_at_once(page):
    press(page, "best")
    becomes(page, "best")
    press(page, "best")
    becomes(page)
    assert page.locator("#undo").count() == 0
    for word in ("best", "lovely", "monday"):
        press(page, word)
        settled(page)
    becomes(page, "best", "monday", "lovely")
    page.click("#undo")
    becomes(page, "best", "lovely")
    page.click("#undo-all")
    becomes(page)
    assert page.locator("#change").count() == 0


def test_keys_move_among_words_take_them_away_and_undo(page):
    page.focus('#heatmap [data-word="0"]')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    becomes(page, "best")
    assert page.evaluate("document.activeElement.dataset.word") == "1", "the focus stays with the word"
    page.keyboard.press("End")
    page.keyboard.press("Space")
    becomes(page, "best", "sister")
    page.keyboard.press("Control+z")
    becomes(page, "best")
    page.keyboard.press("Control+z")
    becomes(page)
    assert page.evaluate("document.activeElement.dataset.word") is not None


def test_all_words_are_one_stop_of_the_tab_key(page):
    assert page.locator('#heatmap [tabindex="0"]').count() == 1
    assert page.locator('#heatmap [tabindex="-1"]').count() == len(PLACES) - 1


def test_back_puts_a_word_back_and_forward_takes_it_away_again(page):
    press(page, "best")
    becomes(page, "best")
    page.go_back()
    becomes(page)
    page.go_forward()
    becomes(page, "best")


def test_typing_puts_all_words_back(page):
    press(page, "best")
    becomes(page, "best")
    page.locator("#text").press_sequentially("s")
    wait_for(lambda: texts(page, "#heatmap [data-word]")[-1] == "sisters")
    becomes(page)


def test_a_text_without_any_word_left_is_still_answered(see):
    page = drawn(see("read", text="parcel"), "read")
    page.click('[data-word="0"]')
    becomes(page, "parcel")
    comes(page, ".remark", "There are no words in this text")
    page.click("#undo")
    becomes(page)


def test_the_number_of_a_word_is_shown_to_the_pointer_and_to_the_keyboard(page):
    tip = page.locator(".tip")
    page.hover('#heatmap [data-word="1"]')
    assert tip.inner_text() == page.get_attribute('#heatmap [data-word="1"]', "data-n")
    page.mouse.move(0, 0)
    tip.wait_for(state="hidden")
    page.focus('#heatmap [data-word="0"]')
    page.keyboard.press("ArrowRight")
    assert tip.inner_text() == page.get_attribute('#heatmap [data-word="1"]', "data-n")
    page.keyboard.press("Escape")
    tip.wait_for(state="hidden")
