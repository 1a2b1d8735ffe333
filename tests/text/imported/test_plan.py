"""The plan of an imported tokeniser is not trusted."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from heedful.errors import ModelFolderError
from heedful.text.imported.plan import TokeniserPlan
from heedful.text.imported.tokeniser import ImportedTokeniser

FORMS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "ani", "##mal", ".", "é")
PLAN = TokeniserPlan(
    kind="wordpiece", vocab=FORMS, n_ids=10, before=(2,), after=(3,), unknown="[UNK]", lowercase=True,
    strip_accents=False,
)  # fmt: skip
BYTES = TokeniserPlan(
    kind="byte_bpe", vocab=("<s>", "a", "b", "ab", "Ġ"), n_ids=5, before=(0,), after=(0,), merges=(("a", "b"),)
)
PIECES = TokeniserPlan(
    kind="unigram", vocab=("<unk>", "▁", "▁ab", "c", ".", "京", "都"), n_ids=7, before=(), after=(), unknown="<unk>",
    scores=(0.0, -5.0, -2.0, -3.0, -3.0, -3.0, -3.0),
)  # fmt: skip


@pytest.mark.parametrize("plan", [PLAN, BYTES, PIECES])
def test_a_plan_is_read_back_as_it_was_written(plan):
    assert TokeniserPlan.from_json(plan.to_json()) == plan


def test_offsets_and_words_are_those_of_the_text():
    tokens = ImportedTokeniser(PLAN).tokens("The  animal.")
    assert [(t.form, t.start, t.end, t.word) for t in tokens] == [
        ("the", 0, 3, 0), ("ani", 5, 8, 1), ("##mal", 8, 11, 1), (".", 11, 12, 2),
    ]  # fmt: skip


def test_a_special_token_in_a_text_is_text():
    assert 3 not in ImportedTokeniser(PLAN).ids("[SEP]").tolist()


def test_pieces_between_spaces_are_divided_into_words():
    tokens = ImportedTokeniser(PIECES).tokens("abc. 京都")
    words = [[t for t in tokens if t.word == word] for word in range(tokens[-1].word + 1)]
    assert ["abc. 京都"[own[0].start : own[-1].end].strip() for own in words] == ["abc", ".", "京", "都"]


def test_a_prompt_is_read_and_has_no_offsets():
    tokeniser = ImportedTokeniser(replace(PLAN, prompt="the animal: "))
    assert tokeniser.ids("the").tolist() == [4]
    assert tokeniser.tokens("the")[0][1:3] == (0, 3)
    assert tokeniser.prompt_ids[:3] == [4, 5, 6]


WRONG = {
    "kind": "sentencepiece", "vocab": ["a", "a"], "n_ids": 3, "before": [99], "after": ["x"], "unknown": "nowhere",
    "merges": [["a", "b"]], "scores": [1.0], "charsmap": "AAAA", "strip_accents": 3, "lowercase": 1, "prompt": 4,
    "prompts": {"a": 1},
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_every_entry_is_checked(name):
    tree = {**json.loads(PLAN.to_json()), name: WRONG[name]}
    with pytest.raises(ModelFolderError, match=r"tokenizer\.json"):
        TokeniserPlan.from_json(json.dumps(tree))


@pytest.mark.parametrize("text", ["{", "[]", "{}", "null", '{"kind": "wordpiece"}', "[" * 100_000])
def test_other_files_are_refused(text):
    with pytest.raises(ModelFolderError):
        TokeniserPlan.from_json(text)


def test_entries_that_heedful_does_not_write_are_refused():
    tree = {**json.loads(PLAN.to_json()), "normalizer": {"type": "Replace"}}
    with pytest.raises(ModelFolderError, match="does not have the entries"):
        TokeniserPlan.from_json(json.dumps(tree))


def test_scores_that_are_not_finite_are_refused():
    text = PIECES.to_json().replace("-2.0", "NaN")
    with pytest.raises(ModelFolderError, match="scores"):
        TokeniserPlan.from_json(text)


def test_a_charsmap_that_the_library_cannot_read_is_one_line():
    with pytest.raises(ModelFolderError, match="does not make a tokeniser"):
        ImportedTokeniser(replace(PIECES, charsmap="AAAA"))
