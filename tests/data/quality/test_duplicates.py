from __future__ import annotations

import random

import numpy as np
import pytest

from heedful.data.quality import duplicates as module
from heedful.data.quality.duplicates import DuplicateFinder
from heedful.data.quality.near_pairs import Groups
from heedful.data.quality.shingles import Signer, agreement, jaccard, plain_form, shingles

WORDS = [
    f"{a}{b}" for a in ("par", "cour", "ref", "bil", "pay", "sho") for b in ("cel", "ier", "und", "ling", "ment", "wer")
]


def found(texts):
    finder = DuplicateFinder()
    for text in texts:
        finder.add(text)
    return finder.result(lambda rows: {i: texts[i] for i in rows})


def sentence(rng):
    return " ".join(rng.choices(WORDS, k=14))


def test_case_punctuation_and_spaces_do_not_count():
    assert plain_form("  The parcel,  NEVER came!! ") == plain_form("the parcel never came")
    assert plain_form("Ｃａｆé") == plain_form("café")
    assert plain_form("???") == "???" and plain_form("\u200b") != plain_form("a")


def test_signatures_estimate_the_jaccard_index():
    rng = random.Random(1)
    for share in (0.1, 0.5, 0.9):
        first = [sentence(rng) for _ in range(60)]
        second = [
            " ".join(word if rng.random() < share else rng.choice(WORDS) for word in text.split()) for text in first
        ]
        forms = [plain_form(text) for text in (*first, *second)]
        n = len(first)
        rows = np.arange(n)
        estimates = agreement(Signer().signatures(forms), rows, rows + n)
        exact = [jaccard(shingles(a), shingles(b)) for a, b in zip(forms[:n], forms[n:], strict=True)]
        assert abs(float(estimates.mean()) - float(np.mean(exact))) < 0.02


def test_a_signature_does_not_depend_on_the_texts_beside_it():
    forms = ["a", "the parcel never came", "ab", "네 감사합니다", "où est mon colis"]
    together = Signer().signatures(forms)
    assert all((Signer().signatures([form])[0] == row).all() for form, row in zip(forms, together, strict=True))


def test_exact_duplicates_are_groups():
    result = found(["Where is my parcel?", "something else", "where is my PARCEL", "", "", "where is  my parcel."])
    assert result.exact == ((0, 2, 5),) and result.near == ()


def test_near_duplicates_are_groups_with_their_exact_copies():
    one = "the courier left my parcel in the rain and it was soaked through"
    result = found([one, "nothing in common with that", one.replace("rain", "snow"), one.upper()])
    assert result.exact == ((0, 3),) and result.near == ((0, 2, 3),)
    assert result.nearest[0][0] == 2 and 0.7 <= result.nearest[0][1] < 1


def test_one_word_changed_in_a_long_text_is_found_and_other_texts_are_not():
    rng = random.Random(5)
    texts = [sentence(rng) for _ in range(400)]
    planted = []
    for i in range(0, 400, 20):
        words = texts[i].split()
        words[rng.randrange(len(words))] = "xyz"
        planted.append((i, len(texts)))
        texts.append(" ".join(words))
    result = found(texts)
    group_of = {row: i for i, group in enumerate(result.near) for row in group}
    assert all(group_of.get(a, -1) == group_of.get(b, -2) for a, b in planted)
    assert len(result.near) == len(planted)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "배송이 너무 늦어서 환불을 요청했는데 아직도 답이 없네요",
            "배송이 너무 늦어서 환불을 요청했는데 아직까지 답이 없네요",
        ),
        ("酒店的位置非常好但是房间有点小而且隔音效果很差", "酒店的位置非常好但是房间有点小并且隔音效果很差"),
        (
            "Wo bleibt mein Paket, ich warte seit drei Wochen darauf!",
            "Wo bleibt mein Packet, ich warte seit drei Wochen darauf",
        ),
    ],
)
def test_near_duplicates_are_found_in_other_scripts(first, second):
    assert found([first, "這是一個完全不同的句子", second, "전혀 다른 문장입니다"]).near == ((0, 2),)


def test_more_rows_than_are_compared_exactly_are_compared_by_estimate(monkeypatch):
    monkeypatch.setattr(module, "MOST_COMPARED", 1)
    one = "the courier left my parcel in the rain and it was soaked through"
    result = found([one, one + " today"])
    assert result.is_estimate and result.near == ((0, 1),)


def test_many_copies_of_a_text_make_one_group():
    assert found(["the very same text"] * 500).exact == (tuple(range(500)),)
    assert found([f"Order {i} has not come, where is it now, please tell me" for i in range(300)]).near == (
        tuple(range(300)),
    )


def test_hostile_texts_do_no_harm():
    texts = ["\ud800", "\x00" * 9, "a" * 100_000, "a" * 99_999, "\u202e", "😀", "😀"]
    assert (3 in found(texts).near[0] if found(texts).near else True) and (5, 6) in found(texts).exact


def test_groups_are_found_in_any_order():
    groups = Groups()
    groups.join_all([5, 1, 9, 3], [3, 2, 8, 1])
    assert groups.members() == {1: [1, 2, 3, 5], 8: [8, 9]}
