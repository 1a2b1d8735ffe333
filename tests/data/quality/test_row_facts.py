from __future__ import annotations

import random

import pytest

from heedful.data.quality.languages import language_of, script_of
from heedful.data.quality.mojibake import has_markup, is_misread, repaired
from heedful.data.quality.row_facts import RowFacts


def faults(texts, **more):
    facts = RowFacts()
    for text in texts:
        facts.add(text, **more)
    return {fault.kind: fault for fault in facts.faults()}


PLAIN = [f"the parcel with number {i} has not come to me and it is late" for i in range(60)]


def test_plain_rows_have_no_faults():
    assert faults(PLAIN) == {} and faults([]) == {}


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("CafÃ© au lait", "Café au lait"),
        ("itâ€™s broken", "it’s broken"),
        ("GrÃ¶ÃŸe und StraÃŸe", "Größe und Straße"),
        ("ÐŸÑ€Ð¸Ð²ÐµÑ‚ Ð¼Ð¸Ñ€", "Привет мир"),
        ("РџСЂРёРІРµС‚", "Привет"),
    ],
)
def test_utf8_that_was_read_as_another_encoding_is_noticed(wrong, right):
    assert is_misread(wrong) and repaired(wrong) == right
    assert not is_misread(right) and repaired(right) == right


@pytest.mark.parametrize(
    "text",
    [
        "naïve café",
        "Größe",
        "Ça va ? À bientôt",
        "Привет, как дела?",
        "네 감사합니다",
        "酒店很好",
        "£5 – “so” it’s…",
        "😀👍🏽",
        "Ãrea",
    ],
)
def test_text_in_other_scripts_is_not_misread(text):
    assert not is_misread(text)


def test_lost_characters_are_misread():
    assert is_misread("caf\ufffd")


def test_markup_is_noticed():
    assert has_markup("fish &amp; chips") and has_markup("a<br/>b") and has_markup("it&#39;s")
    assert not has_markup("fish & chips; 3 < 4 and 5 > 2") and not has_markup("AT&T; R&D")


def test_rows_of_each_kind_are_counted_and_listed():
    result = faults(
        [*PLAIN, "", "   ", "!!! ???", "itâ€™s here and it is late for me", "fish &amp; chips on the table"]
    )
    assert result["empty"].n == 2 and result["empty"].rows == (60, 61)
    assert result["no words"].rows == (62,) and result["misread"].rows == (63,) and result["markup"].rows == (64,)


def test_a_label_that_is_missing_is_counted():
    assert faults(["a"] * 3, has_label=False)["unlabelled"].n == 3


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("where is my parcel and when will it be here", "English"),
        ("wo ist mein Paket und wann wird es bei mir sein, ich warte noch", "German"),
        ("où est mon colis et pour quand est-ce que je le reçois, je ne sais pas", "French"),
        ("el paquete no ha llegado y no sé cuando es que me lo van a dar", "Spanish"),
        ("het pakket is niet aangekomen en ik weet niet wanneer het er is", "Dutch"),
        ("посылка не пришла", "Cyrillic"),
        ("배송이 늦어요", "Hangul"),
        ("酒店很好", "Han"),
        ("parcel late", ""),
        ("1234 !!", ""),
    ],
)
def test_languages_are_told_by_script_and_frequent_words(text, language):
    assert language_of(text) == language


def test_the_script_is_that_of_most_letters():
    assert script_of("ok 감사합니다 정말") == "Hangul" and script_of("♥♥") == ""


def test_rows_in_another_language_are_listed():
    result = faults([*PLAIN, "wo ist mein Paket und wann wird es bei mir sein, ich warte noch", "посылка не пришла"])
    assert result["language"].n == 2 and result["language"].rows == (60, 61)
    assert "English" in result["language"].detail and "Cyrillic 1" in result["language"].detail


def test_texts_in_two_languages_are_not_faulty():
    german = ["wo ist mein Paket und wann wird es bei mir sein, ich warte noch"] * 30
    assert "language" not in faults([*PLAIN[:30], *german])


def test_texts_cut_at_the_same_length_are_noticed():
    rng = random.Random(2)
    whole = [" ".join(rng.choices(("parcel", "late", "refund", "not", "here"), k=i % 23 + 3)) for i in range(200)]
    assert "cut" not in faults(whole) and "cut" not in faults(["the same long text at the end of a template"] * 60)
    cut = [text[:80].ljust(80, "x") if len(text) > 80 else text for text in whole]
    assert faults(cut)["cut"].n == sum(len(text.strip()) == 80 for text in cut) and "80" in faults(cut)["cut"].detail


def test_extreme_lengths_are_noticed_longest_first():
    result = faults([*PLAIN, "ok", "the text " * 500, "the text " * 900])
    assert result["long"].rows == (62, 61) and result["short"].rows == (60,)
