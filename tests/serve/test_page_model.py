"""Model: its card, its figures, what its hops read, and lines that call it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from tests.serve.page_in_browser import comes, drawn, number

from heedful.store.folder import read_folder
from heedful.store.hops_file import read_atlas

pytest_plugins = ["tests.serve.page_fixtures"]
pytestmark = pytest.mark.slow


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
