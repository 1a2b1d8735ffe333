from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from heedful.explain.explanation import Explanation, Word
from heedful.show.page import fragment, page

EVIL = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> \"double\" 'single' &amp; javascript:alert(1) "
    "</span></style><style>@import 'http://evil.example/x.css'</style> https://evil.example \x00<scr\x00ipt> \x1b[31m "
    "<!-- --> ]]> {{7*7}} \ud83d"
)
OURS = {
    "html", "head", "meta", "title", "style", "body", "h1", "p", "span", "section", "div", "strong", "details",
    "summary", "table", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
VOID = {"meta"}


class Reader(HTMLParser):
    """Collects tags, attributes and text, and checks that tags are closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self._open: list[str] = []
        self.feed(source)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if "style" not in self._open:
            self.text.append(data)


def made_by_hand(text: str, *, label: str = "good") -> Explanation:
    """Return an explanation of each run of non-spaces, weights rising from left to right in the second hop."""
    words = tuple(Word(m.group(), m.start(), m.end(), i % 2 == 0) for i, m in enumerate(re.finditer(r"\S+", text)))
    n = max(1, len(words))
    rising = np.arange(1, len(words) + 1) / (n * (n + 1) / 2)
    weights = np.stack([np.full(len(words), 1 / n), rising]).astype(np.float32)
    return Explanation(text, words, weights, label, {label: 0.75, "other": 0.25}, len(text))


@pytest.fixture(params=["hand", "words", "subwords"])
def evil(request, tiny_model, subword_model):
    if request.param == "hand":
        return made_by_hand(EVIL, label=EVIL)
    return (tiny_model if request.param == "words" else subword_model).explain(EVIL)


def test_a_hostile_text_leaves_no_tag_of_its_own(evil):
    assert "<script>" in evil.text
    for source in (page([evil], title=EVIL), evil.to_html(), fragment(evil), evil._repr_html_()):
        read = Reader(source)
        assert set(read.tags) <= OURS
        assert "<script" not in source.lower() and "<img" not in source.lower()
        assert source.count("<style>") == 1


def test_a_hostile_text_leaves_no_attribute_and_no_reference(evil):
    read = Reader(page([evil], title=EVIL))
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
    first = page([explanation]).split('class="text"')[1]
    shades = [float(x) for x in re.findall(r"--w:([\d.]+)", first)]
    np.testing.assert_allclose(shades, overall / max(overall.max(), 3 / 4), atol=0.0051)


def test_each_hop_and_every_number_is_there():
    source = page([made_by_hand("one two three")])
    assert "Each of the 2 hops" in source
    rows = re.findall(r'<tr><th scope="row" dir="auto">(\w+)</th>(.*?)</tr>', source)
    assert [word for word, _ in rows] == ["three", "two", "one"]
    assert re.findall(r"[\d.]+(?=</td>)", rows[0][1]) == ["0.417", "0.333", "0.500"]  # (1/3 + 3/6) / 2


def test_one_hop_needs_no_list_of_hops():
    explanation = made_by_hand("one two")
    single = Explanation(explanation.text, explanation.words, explanation.weights[:1], "good", {"good": 1.0}, 7)
    assert "<summary>Each of" not in page([single])


def test_what_was_not_read_is_marked_and_unknown_words_are_underlined():
    text = "read this not that"
    explanation = made_by_hand(text[:9])
    cut = Explanation(text, explanation.words, explanation.weights, "good", {"good": 1.0}, 9)
    source = page([cut])
    assert '<span class="unread" title="not read"> not that</span>' in source
    assert re.search(r'<span class="w[^"]* unknown"[^>]*>this</span>', source)
    assert not re.search(r'<span class="w[^"]* unknown"[^>]*>read</span>', source)


def test_a_page_of_nothing_is_a_page(tiny_model):
    Reader(page([]))
    assert "Not audited" in "".join(Reader(page([tiny_model.explain("")])).text)
