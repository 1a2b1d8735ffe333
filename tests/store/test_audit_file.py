"""audit.json may come from anywhere, and belongs to one model."""

from __future__ import annotations

import json

import pytest

from heedful import HeedfulError, load
from heedful.store.cards.card import with_verdict
from heedful.store.folder import read_folder
from heedful.store.results.audit_file import AUDIT, MAX_WORDS
from heedful.store.verdict import NOT_AUDITED, Verdict


def put(folder, tree):
    (folder / AUDIT).write_text(tree if isinstance(tree, str) else json.dumps(tree), encoding="utf-8")


def sound(folder, **changes):
    return {"verdict": {"level": "better", "words": "Yes."}, "fingerprint": read_folder(folder).fingerprint, **changes}


def test_without_an_audit_it_says_so(tiny_model):
    assert tiny_model.verdict == NOT_AUDITED


def test_a_verdict_is_read(tiny_copy):
    put(tiny_copy, sound(tiny_copy))
    assert load(tiny_copy).verdict == Verdict("better", "Yes.")


def test_the_audit_of_another_model_does_not_count(tiny_copy):
    put(tiny_copy, sound(tiny_copy, fingerprint="0" * 64))
    verdict = load(tiny_copy).verdict
    assert verdict.level == "not audited"
    assert "changed since" in verdict.words


def test_a_verdict_is_about_labels_and_vocab_too(tiny_copy, reseal):
    put(tiny_copy, sound(tiny_copy))
    words = json.loads((tiny_copy / "vocab.json").read_text(encoding="utf-8"))["words"]
    facts = json.loads((tiny_copy / "facts.json").read_text(encoding="utf-8"))
    (tiny_copy / "vocab.json").write_text(json.dumps({"words": words[5:] + words[:5]}), encoding="utf-8")
    (tiny_copy / "facts.json").write_text(json.dumps({**facts, "labels": facts["labels"][::-1]}), encoding="utf-8")
    reseal(tiny_copy)
    assert load(tiny_copy).verdict.level == "not audited"


def test_an_audit_of_an_older_heedful_must_be_repeated(tiny_copy):
    put(tiny_copy, {"verdict": {"level": "better", "words": "Yes."}, "graph": "0" * 64})
    verdict = load(tiny_copy).verdict
    assert verdict.level == "not audited" and "older heedful" in verdict.words


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "[]",
        "{",
        '{"verdict": 3, "graph": ""}',
        "[" * 100_000,
        '{"verdict": {"level": "x", "words": "y"}, "graph": ""}',
    ],
)
def test_a_damaged_audit_is_named(tiny_copy, wrong):
    put(tiny_copy, wrong)
    with pytest.raises(HeedfulError, match=r"audit\.json"):
        load(tiny_copy)


def test_words_without_end_are_cut(tiny_copy):
    put(tiny_copy, sound(tiny_copy, verdict={"level": "better", "words": "x" * 10_000}))
    assert len(load(tiny_copy).verdict.words) == MAX_WORDS


def test_a_link_out_of_the_folder_is_refused(tiny_copy, tmp_path):
    (tmp_path / "elsewhere.json").write_text("{}")
    (tiny_copy / AUDIT).symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(HeedfulError, match="leads out"):
        load(tiny_copy)


def test_the_card_says_what_was_found_and_keeps_the_rest(tiny_folder):
    card = (tiny_folder / "README.md").read_text(encoding="utf-8")
    once = with_verdict(card, Verdict("better", "Yes `x` <b>."))
    twice = with_verdict(once, Verdict("worse", "No."))
    assert NOT_AUDITED.words not in once
    assert "\n\nYes x b.\n\n## " in once
    assert "\n\nNo.\n\n## " in twice
    assert twice.replace("No.", "Yes x b.") == once
    assert "## Heatmaps\n\nNo.\n" in with_verdict("# card\n", Verdict("worse", "No."))
