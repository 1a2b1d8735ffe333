"""Model: its card, its figures, what its hops read, and lines that call it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from tests.serve.page_in_browser import comes, drawn, number, texts

from heedful.show.words.view import with_view
from heedful.store.folder import read_folder
from heedful.store.results.hops_file import read_atlas
from heedful.store.results.words_file import read_words

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow
EVIL = "</h3><script>alert(1)</script><img src=x onerror=alert(2)>"


def lines(page, name):
    """Return the lines that the page gives for calling the model."""
    return page.locator("#calling .way", has=page.locator("h3", has_text=name)).first.locator("pre").inner_text()


def ran(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=120).stdout


def test_card_and_figures_are_those_of_the_folder(see, shown, shown_folder):
    page = drawn(see("model"), "model")
    assert page.inner_text("#model-name") == "reviews"
    shown_figures = dict(row.split("\t")[:2] for row in page.locator("#figures tr").all_inner_texts())
    right = {name.replace("_", " "): value for name, value in shown.facts.metrics.items() if isinstance(value, float)}
    assert right
    assert {name: number(shown_figures[name]) for name in right} == pytest.approx(right, abs=0.00051)
    headings = [line.lstrip("# ") for line in (shown_folder / "README.md").read_text().splitlines() if line[:1] == "#"]
    assert page.locator("#card-text").locator("h3, h4, h5").all_inner_texts() == headings
    assert shown.verdict.words.replace("`", "") in page.inner_text("#model-verdict")


def test_the_atlas_tells_of_every_hop(see, shown, shown_folder):
    atlas = read_atlas(shown_folder, read_folder(shown_folder).fingerprint)
    assert atlas is not None
    page = drawn(see("model"), "model")
    assert page.locator("[data-atlas]").count() == shown.facts.n_hops
    chips = page.locator('[data-atlas="1"] .look > .chips .chip-word').all_inner_texts()
    assert chips == [word["word"] for word in atlas["hops"][0]["words"][: len(chips)]]


@pytest.fixture
def words(shown_folder):
    """What drives each label of the model, with all that is drawn of it."""
    tree = read_words(shown_folder, read_folder(shown_folder).fingerprint)
    assert tree is not None and all(part["supporting"] and part["opposing"] for part in tree["labels"])
    return with_view(tree)


def serve_words(page, words):
    """Draw the tab again with other words in its card."""

    def answer(route):
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "words": words})

    page.route("**/card?*", answer)
    page.reload()
    return drawn(page, "model")


def test_every_word_that_drives_a_label_has_its_number_its_bar_and_its_interval(see, words):
    page = drawn(see("model"), "model")
    assert page.inner_text("#words h2") == "What drives each label"
    assert words["where"] in page.inner_text("#words") and words["account"] in page.inner_text("#words")
    assert texts(page, "#words h3 bdi") == [part["label"] for part in words["labels"]]
    assert page.locator("#words-label").count() == 0
    for part in words["labels"]:
        own = f'#words [data-label="{part["label"]}"]'
        for side, sign in (("supporting", "for"), ("opposing", "against")):
            rows = f'{own} ol[aria-label="{part["titles"][side]}"] li'
            assert page.eval_on_selector_all(rows, "all => all.map(each => each.dataset.n)") == [
                word["about"] for word in part[side]
            ]
            shown_numbers = texts(page, f"{rows} .figure")
            assert shown_numbers == [f"{word['number']}, {word['interval']}" for word in part[side]]
            bars = page.eval_on_selector_all(f"{rows} .fillbar.{sign}", "all => all.map(each => each.style.width)")
            widths = [100 * abs(word["shade"]) for word in part[side]]
            assert [float(bar.rstrip("%")) for bar in bars] == pytest.approx(widths, abs=0.01)


def test_the_tooltip_of_a_word_has_its_interval_and_counts(see, words):
    page = drawn(see("model"), "model")
    page.locator("#words").scroll_into_view_if_needed()
    page.wait_for_timeout(100)  # a scroll hides the tooltip
    page.hover("#words .tops li >> nth=0")
    about = words["labels"][0]["supporting"][0]["about"]
    comes(page, ".tip", about)
    assert " to the score of " in about and " texts" in about


def test_of_many_labels_one_is_chosen(see, words):
    (first, *_) = words["labels"]
    many = {**words, "labels": [{**first, "label": f"topic {i}", "heading": f"heading {i}"} for i in range(7)]}
    page = serve_words(drawn(see("model"), "model"), many)
    assert texts(page, "#words-label option") == [f"topic {i}" for i in range(7)]
    assert texts(page, "#words h3 bdi") == ["topic 0"]
    page.select_option("#words-label", label="topic 5")
    assert texts(page, "#words h3 bdi") == ["topic 5"] and "heading 5" in page.inner_text("#words h3")


def test_shortcuts_are_remarks_and_hostile_words_are_only_text(see, words):
    (first, *_) = words["labels"]
    evil = {**first["supporting"][0], "form": EVIL, "about": EVIL}
    shortcut = {"word": "x", "label": EVIL, "sentence": f"“x” may be a shortcut to {EVIL}"}
    label = {**first, "label": EVIL, "supporting": [evil], "opposing": []}
    sent = {**words, "labels": [label], "shortcuts": [shortcut], "shortcuts_account": "Look at the texts."}
    page = serve_words(drawn(see("model"), "model"), sent)
    comes(page, "#words .remark", "“x” may be a shortcut to")
    comes(page, "#words", "Look at the texts.")
    comes(page, "#words .sides", "No word stands out.")
    assert page.locator("#words :is(script, img, a)").count() == 0
    assert EVIL in page.inner_text("#words h3") and EVIL in page.inner_text("#words .tops")


def test_a_model_without_saved_words_has_no_such_card(see):
    page = drawn(see("model", model="en-tiny"), "model")
    assert page.locator("#words").count() == 0


def test_the_lines_for_curl_run_and_give_the_models_answer(see, shown):
    page = drawn(see("model"), "model")
    found = json.loads(ran("sh", "-c", lines(page, "curl")))["data"][0]
    answer = shown.predict_proba(["The parcel came two days late."])
    assert list(found["probabilities"].values()) == pytest.approx(list(answer[0]), abs=1e-4)


def test_the_lines_for_python_run(see):
    pytest.importorskip("requests")
    page = drawn(see("model"), "model")
    told = ran(sys.executable, "-", text=lines(page, "Python: explain")).splitlines()
    assert [line.split()[0] for line in told] == ["The", "parcel", "came", "two", "days", "late", "."]
    page.select_option("#model-model", "en-tiny")
    comes(page, "#model-name", "en-tiny")
    drawn(page, "model")
    pytest.importorskip("openai")
    assert len(json.loads(ran(sys.executable, "-", text=lines(page, "openai")))) == 5


def test_an_encoder_is_called_for_vectors(see):
    page = drawn(see("model", model="en-base"), "model")
    found = json.loads(ran("sh", "-c", lines(page, "curl")))
    assert len(found["data"][0]["embedding"]) == 384
    assert "An encoder" in page.inner_text("#panel-model")


def test_the_lines_are_copied(see):
    page = drawn(see("model"), "model")
    page.click("[aria-label='Copy curl']")
    comes(page, "#calling button", "Copied")
    assert page.evaluate("navigator.clipboard.readText()") == lines(page, "curl").rstrip(os.linesep)


def test_a_model_that_is_not_there_is_told(see):
    page = drawn(see("model", model="gone"), "model")
    comes(page, ".missing", "There is no model gone")
    assert page.inner_text("#model-name") == "reviews"
