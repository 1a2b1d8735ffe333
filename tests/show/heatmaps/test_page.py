from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from tests.page_reader import Reader

from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation, Word
from heedful.show.heatmaps.page import fragment_of, page
from heedful.show.kit.text.truncate import shortened
from heedful.store.verdict import LEVELS, Verdict

OURS = {
    "html", "head", "meta", "title", "style", "body", "h1", "p", "span", "section", "div", "strong", "details",
    "summary", "table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "b", "em", "code",
}  # fmt: skip


@pytest.fixture(params=["hand", "words", "subwords"])
def evil(request, make, evil_text, tiny_model, subword_model):
    if request.param == "hand":
        verdict = Verdict("worse", evil_text)
        return make(evil_text, label=evil_text, target="<b>" + evil_text, verdict=verdict, notes=(evil_text,))
    return (tiny_model if request.param == "words" else subword_model).explain(evil_text)


def test_a_hostile_text_leaves_no_tag_of_its_own(evil):
    assert "<script>" in evil.text
    for source in (
        page([evil], title=evil.text, notes=[evil.text]),
        evil.to_html(),
        fragment_of(evil),
        evil._repr_html_(),
    ):
        read = Reader(source)
        assert set(read.tags) <= OURS
        assert "<script" not in source.lower() and "<img" not in source.lower()
        assert source.count("<style>") == 1


def test_a_hostile_text_leaves_no_attribute_and_no_reference(evil):
    read = Reader(page([evil], title=evil.text, notes=[evil.text]))
    names = {name for name, _ in read.attributes}
    assert not any(name.startswith("on") for name in names)
    assert not names & {"src", "href", "action", "srcdoc", "data", "xlink:href"}
    assert not any("://" in (value or "") or "javascript:" in (value or "") for _, value in read.attributes)


def test_a_hostile_text_can_still_be_read(evil):
    shown = "".join(Reader(page([evil])).text)
    assert "<script>alert(1)</script>" in shown and "\"double\" 'single' &amp;" in shown


def test_a_page_has_no_control_characters_and_can_be_written(evil):
    source = page([evil])
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", source)
    source.encode("utf-8")


def test_a_page_needs_nothing_from_another_host(tiny_model):
    source = page(tiny_model.explain(["the parcel was great", "slow"]))
    assert not re.search(r"https?://|<script|<link|@import|url\(", source)
    assert "default-src 'none'" in source


def test_the_shade_of_a_word_is_its_share_of_three_even_shares_or_of_the_largest(tiny_model):
    explanation = tiny_model.explain("the parcel was great")
    overall = explanation.weights.sum(0) / explanation.weights.sum()
    assert len(overall) == 4
    np.testing.assert_allclose(shades_in(page([explanation]), 2), overall / max(overall.max(), 3 / 4), atol=0.0051)


def test_the_first_heatmap_shows_contributions_by_their_share_of_the_largest(tiny_model):
    explanation = tiny_model.explain("the parcel was great")
    sizes = np.abs(explanation.contributions_to(explanation.label))
    shares = sizes / max(sizes.max(), 0.25)
    right = np.where(shares < 0.08, 0, shares)  # fainter ones are not drawn
    assert right.any()
    np.testing.assert_allclose(shades_in(page([explanation]), 1), right, atol=0.0051)


def shades_in(source: str, row: int) -> list[float]:
    """Return the shades of the words in one of the heatmaps, counted from 1."""
    return [float(x) for x in re.findall(r"--w:([\d.]+)", source.split('class="text"')[row])]


def shown_in(source: str) -> str:
    return "".join(Reader(source).text)


def table_of(source: str) -> dict[str, list[str]]:
    rows = re.findall(r'<tr><th scope="row" dir="auto"[^>]*>(\w+)</th>(.*?)</tr>', source)
    return {word: re.findall(r">([^<]+)</td>", cells) for word, cells in rows}


def test_each_hop_and_every_number_is_there():
    words = tuple(Word(w, s, e, True) for w, s, e in (("one", 0, 3), ("two", 4, 7), ("three", 8, 13)))
    weights = np.array([[1 / 3, 1 / 3, 1 / 3], [1 / 6, 2 / 6, 3 / 6]], np.float32)
    effects = {LEAVE_ONE_OUT: np.array([0.25, -0.125, 0.0])}
    source = page([Explanation("one two three", words, weights, "yes", {"yes": 1.0}, 13, effects)])
    assert "Each of the 2 hops" in source
    assert table_of(source) == {  # overall of three: (1/3 + 3/6) / 2
        "three": ["0.417", "0.000", "0.333", "0.500"],
        "two": ["0.333", "−0.125", "0.333", "0.333"],
        "one": ["0.250", "+0.250", "0.333", "0.167"],
    }
    assert list(table_of(source)) == ["three", "two", "one"], "sorted by weight"


def test_what_each_hop_adds_stands_beside_it_and_is_explained(make):
    effects = np.array([0.123, -0.456, 0.0])
    source = page([make("one two", hops=3, hop_effects=effects, target="<b>" + "x" * 300)])
    read = Reader(source)
    beside = [hop.text.split("one")[0].strip() for hop in read.all("div", "hop", "adds")]
    assert beside == ["hop 1 adds +0.12", "hop 2 adds −0.46", "hop 3 adds 0.00"]
    assert [added.text for added in read.all("span", "added")] == ["adds +0.12", "adds −0.46", "adds 0.00"]
    assert read.text.count("What a hop adds is how much less probable <b>xxx") == 1
    assert "x" * 101 not in source
    assert "how much lower the number is" in page([make("one two", hop_effects=effects[:2], is_number=True)])
    assert "adds" not in page([make("one two", hops=3)]).split("</style>")[1]


def test_one_hop_needs_no_list_of_hops(make):
    for hops, is_listed in ((2, True), (1, False)):
        summaries = [each.text for each in Reader(page([make("one two", hops=hops)])).all("summary")]
        assert any(text.startswith("Each of") for text in summaries) == is_listed


def test_what_was_not_read_is_marked_and_unknown_words_are_underlined(make):
    explanation = replace(make("read this"), text="read this not that")
    read = Reader(page([explanation]))
    assert {each.text for each in read.all("span", "unread")} == {" not that"} and "not that (not read)" in read.text
    assert {each.text for each in read.all("span", "w", "unknown")} == {"this"}


def test_a_page_of_nothing_is_a_page(tiny_model, make):
    Reader(page([]))
    assert "Not audited" in shown_in(page([tiny_model.explain("")]))
    assert "(empty)" in shown_in(page([make("")])) and "!!!" in shown_in(
        page([replace(make(""), text="!!!", read_to=3)])
    )


def test_words_for_a_label_are_blue_and_words_against_it_orange(make):
    explanation = make("helps hurts faint", methods=())
    explanation = replace(explanation, effects={LEAVE_ONE_OUT: np.array([0.5, -0.25, 0.001])})
    second = page([explanation]).split('class="text"')[2]
    kinds = re.findall(r'<span class="(w[^"]*)" style="--w:([\d.]+)" data-n="([^"]+)"', second)[:3]
    assert kinds == [
        ("w for", "1.00", "+0.500"),
        ("w against unknown", "0.50", "−0.250"),
        ("w", "0.00", "+0.001"),
    ]


def test_effects_that_are_all_small_are_not_drawn_as_strong_ones(make):
    explanation = replace(make("one two", methods=()), effects={LEAVE_ONE_OUT: np.array([0.005, -0.001])})
    second = page([explanation]).split('class="text"')[2]
    assert float(re.findall(r"--w:([\d.]+)", second)[0]) == 0.1  # of 0.05
    assert "No word alone changes the probability by 0.01" in page([explanation])


def test_the_label_that_effects_are_for_is_named_and_whether_it_is_the_answer(make):
    assert "Leave-one-out for good" in Reader(page([make("one two")])).text
    assert "The model's answer is a different label" not in Reader(page([make("one two")])).text
    other = Reader(page([make("one two", target="other")])).text
    assert "Leave-one-out for other" in other and "The model's answer is a different label: good." in other


def test_effects_that_were_not_computed_have_no_number(make):
    explanation = replace(make("one two", methods=()), effects={LEAVE_ONE_OUT: np.array([np.nan, 0.5])})
    source = page([explanation])
    assert "nan" not in source.split("</style>")[1] and table_of(source)["one"][1] == "–"


@pytest.mark.parametrize("level", LEVELS)
def test_the_verdict_is_calm_only_when_attention_is_better_than_chance(make, level):
    source = page([make("one two", verdict=Verdict(level, "What `heedful audit` found."))])
    kind = "calm" if level == "better" else "doubt"
    verdicts = Reader(source).all("p", "verdict")
    assert [each.text for each in verdicts] == ["What heedful audit found."] * 2  # and on the hops
    assert all(kind in each.classes for each in verdicts)
    assert [each.text for each in Reader(source).all("code")] == ["heedful audit"] * 2


def test_notes_and_warnings_are_shown(make):
    explanation = make("a b", notes=("Gradients were left out.",))
    unknown = replace(explanation, words=tuple(word._replace(is_known=False) for word in explanation.words))
    shown = shown_in(page([unknown]))
    assert unknown.warning is not None and unknown.warning in shown and "Gradients were left out." in shown


def test_a_page_says_that_attention_has_no_sign_and_effects_have(make):
    assert "no sign and is not specific to a label. Effects have both" in shown_in(page([make("one two")]))
    alone = shown_in(fragment_of(make("one two", methods=())))
    assert "no sign and is not specific to a label" in alone and "Effects" not in alone


def test_words_of_a_short_text_can_be_reached_by_keyboard(make):
    assert page([make("w " * 300)]).count('tabindex="0"') == 1 + 3 * 300  # the table; three rows
    assert page([make("w " * 301)]).count('tabindex="0"') == 1


def test_a_table_has_the_200_largest_weights_and_says_so(make):
    explanation = make(" ".join(f"w{i}" for i in range(1000)))
    source = page([explanation])
    largest = np.argsort(-explanation.overall, kind="stable")[:200]
    assert list(table_of(source)) == [explanation.words[i].text for i in largest]
    assert "The 200 words with the largest numbers, of 1,000." in source


@pytest.mark.parametrize("even", [False, True])
def test_a_text_of_10000_words_and_30_hops_is_folded_around_the_strongest_words(make, even):
    explanation = make(" ".join(f"word{i}" for i in range(10_000)), hops=30, even=even)
    source = page([explanation])
    assert len(source.encode()) < 5_000_000
    first = source.split('class="text"')[1]
    folds = [int(n.replace(",", "")) for n in re.findall(r"… ([\d,]+) words, each with little weight", first)]
    assert folds and sum(folds) > 5_000
    opened = re.sub(r"<details.*?</details>", "", first)
    strongest = explanation.words[int(explanation.overall.argmax())].text
    assert even or f">{strongest}</span>" in opened
    assert len(set(re.findall(r"\bword\d+", first))) == 10_000, "nothing is lost"
    assert "each hop shows only the words around its strongest" in source


def test_hops_beyond_30_are_counted_and_not_drawn(make):
    source = page([make("one two", hops=40)])
    assert len(Reader(source).all("div", "hop")) == 30 and "Of 40 hops, the first 30 are shown." in source


def test_a_word_of_a_million_letters_is_not_repeated_for_each_hop(make):
    assert len(page([make("a" * 1_000_000 + " b" + "!" * 1_000_000, hops=30)])) < 7_000_000


def test_marks_stay_with_their_letters_and_a_text_keeps_its_direction(make):
    text = "السلام عليكم cafe\u0301 נ\u05b8 👩\u200d👩\u200d👧"
    read = Reader(page([make(text)]))
    assert {each.attributes["dir"] for each in read.all("div", "text")} == {"auto"}
    assert set(text.split()) == {each.text for each in read.all("span", "w")}
    long = Reader(page([make("<< " * 10 + "سلام " * 1000)]))
    assert "rtl" in {each.attributes["dir"] for each in long.all("div", "text")}, "the first letter may be folded away"


def test_long_words_are_cut_between_letters_and_never_before_a_mark():
    word = "e\u0301" * 50
    cut = shortened(word, 10)
    assert len(cut) <= 12 and cut.endswith("e\u0301…")
    assert shortened("👩\u200d👩\u200d👧" * 3, 4) == "👩\u200d👩\u200d👧…"
    assert shortened("short", 5) == "short" and shortened("longer", 5) == "long…"
