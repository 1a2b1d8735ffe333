import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from heedful.text import word_tokeniser as words
from heedful.text.word_tokeniser import WordTokeniser

PIECES = st.sampled_from([
    *"aZ9_'’ʼ.!?,:/-#\t\n\x00\x85\u3000\u200b\u200c\u200d\ufe0f\u20e3\U000e0067\ud800é中กำन्ー👍🇬👨❤\U0001f3fd",
    *("e\u0301", "n't", "'s"),
])  # fmt: skip
ANY_TEXT = st.text(max_size=40) | st.lists(PIECES, max_size=12).map("".join)


def split(text):
    return WordTokeniser().surfaces(text)


@given(ANY_TEXT)
@example("I can't say it's “don’t” 3.50")
def test_offsets_are_in_order_and_do_not_overlap(text):
    tokeniser = WordTokeniser()
    tokens = tokeniser.tokens(text)
    edges = [edge for token in tokens for edge in (token.start, token.end)]
    assert edges == sorted(edges)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert [token.form for token in tokens] == [tokeniser.form(text[token.start : token.end]) for token in tokens]
    assert [token.word for token in tokens] == list(range(len(tokens)))


@given(ANY_TEXT)
def test_surfaces_are_the_texts_of_the_tokens(text):
    tokeniser = WordTokeniser()
    assert tokeniser.surfaces(text) == [text[token.start : token.end] for token in tokeniser.tokens(text)]


@given(ANY_TEXT)
def test_every_letter_and_digit_is_in_a_token_and_no_white_space_is(text):
    kept = "".join(split(text))
    assert not any(c.isspace() for c in kept)
    assert [c for c in kept if c.isalnum()] == [c for c in text if c.isalnum()]


@given(st.text(st.characters(max_codepoint=127), max_size=40))
def test_ascii_words_are_the_same_beside_other_scripts(text):
    assert [*split(text), "é"] == split(text + " é")


@given(ANY_TEXT, st.booleans())
def test_forms_are_stable_and_the_same_for_equivalent_spellings(text, is_lower):
    form = WordTokeniser(lowercase=is_lower).form
    assert form(form(text)) == form(text)
    assert form(unicodedata.normalize("NFD", text)) == form(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't!", "Do|n't|!"),
        ("it's we're I've she'll he'd I'm", "it|'s|we|'re|I|'ve|she|'ll|he|'d|I|'m"),
        ("can’t itʼs WON'T", "ca|n’t|it|ʼs|WO|N'T"),
        ("'quoted' dogs' o'clock", "'|quoted|'|dogs|'|o'clock"),
        ("$3.50, 10:30pm 1/2 v2", "$|3.50|,|10:30|pm|1/2|v2"),
        ("wait... what?!! a_b e-mail", "wait|...|what|?|!!|a_b|e|-|mail"),
        ("我爱北京。", "我|爱|北|京|。"),
        ("東京\u3000タワー", "東|京|タ|ワー"),
        ("สวัสดี", "ส|วั|ส|ดี"),
        ("مَرْحَبًا بالعالم؟", "مَرْحَبًا|بالعالم|؟"),
        ("नमस्ते दुनिया।", "नमस्ते|दुनिया|।"),
        ("한국어 텍스트", "한국어|텍스트"),
        ("می\u200cخواهم ශ්\u200dරී", "می\u200cخواهم|ශ්\u200dරී"),
        ("ok👨\u200d👩\u200d👧\u200d👦👍🏽🇬🇧🇫🇷❤️", "ok|👨\u200d👩\u200d👧\u200d👦|👍🏽|🇬🇧|🇫🇷|❤️"),
        ("1️⃣ #️⃣ ©️", "1️⃣|#️⃣|©"),
        ("🏴\U000e0067\U000e0062\U000e007f!", "🏴\U000e0067\U000e0062\U000e007f|!"),
        ("葛\U000e0100城", "葛\U000e0100|城"),
        ("cafe\u0301 naïve", "cafe\u0301|naïve"),
        ("a\x00b\x07c\u200bd\u2060e\ufeff", "a|b|c|d|e"),
        ("\u3000 \t\n\u200e\ufe0f\x00", ""),
        ("", ""),
    ],
)
def test_words_of_many_scripts(text, expected):
    assert "|".join(split(text)) == expected


def test_lower_case_is_a_choice():
    assert [t.form for t in WordTokeniser().tokens("The ÉCOLE")] == ["the", "école"]
    assert [t.form for t in WordTokeniser(lowercase=False).tokens("The ÉCOLE")] == ["The", "ÉCOLE"]


def test_apostrophes_have_one_form():
    forms = {tuple(t.form for t in WordTokeniser().tokens(text)) for text in ("don't", "don’t", "donʼt")}
    assert forms == {("do", "n't")}


def test_offsets_are_into_the_text_as_given():
    text = "CAFE\u0301 ok"
    assert [tuple(token) for token in WordTokeniser().tokens(text)] == [("café", 0, 5, 0), ("ok", 6, 8, 1)]


def test_no_single_character_breaks_the_tokeniser_and_none_is_invisible():
    tokeniser = WordTokeniser()
    seen = {c for c in map(chr, [*range(0x20000), *range(0xE0000, 0xE0200)]) if tokeniser.surfaces(c)}
    assert {"a", "中", "!", "👍", "€"} <= seen
    assert not [hex(ord(c)) for c in seen if c.isspace() or unicodedata.category(c) == "Cc"]


def test_the_store_of_forms_does_not_grow_without_end(monkeypatch):
    monkeypatch.setattr(words, "_CACHE_LIMIT", 10)
    tokeniser = WordTokeniser()
    tokeniser.tokens(" ".join(f"w{i}" for i in range(1000)))
    assert len(tokeniser._forms) <= 10


def test_long_texts_take_linear_time():
    for text in ("1" * 200_000, "a'" * 100_000, "1," * 100_000, "é'" * 100_000, "🇬" * 50_001):
        assert "".join(split(text)) == text
