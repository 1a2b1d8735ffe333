from __future__ import annotations

import time

import pytest
from tests.hostile_text import HOSTILE

from heedful.text.terms.stem import stem
from heedful.text.terms.terms import forms_of, terms_of


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("caresses ponies ties caress cats", "caress poni ti caress cat"),
        ("feed agreed plastered bled motoring sing", "feed agre plaster bled motor sing"),
        (
            "conflated troubled sized hopping tanned falling hissing fizzed failing filing",
            "conflat troubl size hop tan fall hiss fizz fail file",
        ),
        ("happy sky relational conditional rational valenci digitizer", "happi sky relat condit ration valenc digit"),
        (
            "vietnamization predication operator feudalism decisiveness hopefulness",
            "vietnam predic oper feudal decis hope",
        ),
        ("triplicate formative formalize electrical hopeful goodness", "triplic form formal electr hope good"),
        ("revival allowance inference airliner adoption communism", "reviv allow infer airlin adopt commun"),
        ("probate rate cease controll roll", "probat rate ceas control roll"),
    ],
)
def test_stems_are_those_of_porters_paper(words, expected):
    assert [stem(word) for word in words.split()] == expected.split()


def test_forms_have_no_case_accent_or_ending():
    assert forms_of("Wings WING wing's") == ["wing", "wing", "wing", "s"]
    assert forms_of("Café naïve ﬁne") == ["cafe", "naiv", "fine"]
    assert forms_of("Häuser STRASSE Straße") == ["hauser", "strass", "strass"]
    assert forms_of("Привет МИР") == ["привет", "мир"]


def test_scripts_without_spaces_have_characters_and_pairs():
    assert forms_of("早餐") == ["早", "餐", "早餐"]
    assert forms_of("早餐", is_query=True) == ["早餐"]
    assert forms_of("茶", is_query=True) == ["茶"]
    assert "맛집" in forms_of("이 맛집이 좋아요") and forms_of("맛집", is_query=True) == ["맛집"]
    assert forms_of("GPU加速v2", is_query=True) == ["gpu", "加速", "v2"]


@pytest.mark.parametrize("text", ["Wings of É and 早餐, हिन्दी ภาษาไทย İstanbul", *HOSTILE])
def test_offsets_are_those_of_the_text(text):
    terms = list(terms_of(text))
    assert [term.form for term in terms] == forms_of(text)
    for term in terms:
        assert 0 <= term.start < term.end <= len(text)
        assert term.form and not any(c.isspace() for c in term.form)
        assert term.form in forms_of(text[term.start : term.end])


def test_a_long_hostile_word_takes_no_time():
    start = time.monotonic()
    for text in ("y" * 500_000, "ab" * 250_000, "a\u0301" * 100_000, "ing" * 100_000, "早" * 50_000):
        assert all(len(form) <= 100 for form in forms_of(text))
    assert time.monotonic() - start < 20
