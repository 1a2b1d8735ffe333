"""Words in scripts without spaces."""

from __future__ import annotations

import pytest

from heedful.inputs.text.featuriser import WordFeaturiser
from heedful.text.vocab import Vocab
from heedful.text.word_tokeniser import WordTokeniser

FEATURISER = WordFeaturiser(WordTokeniser(), Vocab(["房", "间"]), max_tokens=100)


def words(text: str) -> list[str]:
    return [text[word.start : word.end] for word in FEATURISER.words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("房间很好,服务员", ["房间", "很", "好", ",", "服务员"]),
        ("この映画はとても", ["この", "映画は", "とても"]),
        ("อาหารอร่อยมาก", None),
        ("plain words, 3.5 of them", ["plain", "words", ",", "3.5", "of", "them"]),
        ("재미없는 영화", ["재미없는", "영화"]),
    ],
)
def test_characters_are_joined_into_words(text, expected):
    parts = words(text)
    assert expected is None or parts == expected
    assert "".join(parts) == "".join(text.split())


def test_thai_words_are_shorter_than_the_text_and_longer_than_a_character():
    parts = words("อาหารอร่อยมากแต่บริการช้า")
    assert 4 <= len(parts) <= 10


def test_tokens_are_still_characters_and_a_word_counts_them():
    text = "房间很好"
    assert [word.n_tokens for word in FEATURISER.words(text)] == [2, 1, 1]
    assert len(FEATURISER.ids(text)) == 4
    assert [word.is_known for word in FEATURISER.words(text)] == [True, False, False]


def test_runs_are_not_joined_over_punctuation_or_spaces():
    assert words("房 间") == ["房", "间"]
    assert words("房,间") == ["房", ",", "间"]


def test_a_truncated_text_has_words_of_the_tokens_that_were_read():
    short = WordFeaturiser(WordTokeniser(), Vocab(["房"]), max_tokens=3)
    assert sum(word.n_tokens for word in short.words("房间很好服务员")) == 3
