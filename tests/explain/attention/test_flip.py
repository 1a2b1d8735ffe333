"""The fewest words without which the answer is another, against trying every set."""

from __future__ import annotations

from itertools import combinations

import pytest

from heedful.explain.attention import flip as module
from heedful.explain.attention.flip import find_flip

TEXTS = ["the parcel was great and lovely", "awful", "it came on monday and was broken", "great great great great"]


def answer_without(model, words, left_out):
    return model.predict(" ".join(word for i, word in enumerate(words) if i not in left_out))


def smallest_by_trying(model, text):
    """Return the size of the smallest set that changes the answer, or None."""
    words, own = text.split(), model.predict(text)
    for size in range(1, len(words) + 1):
        if any(answer_without(model, words, set(one)) != own for one in combinations(range(len(words)), size)):
            return size
    return None


def test_it_is_the_smallest_set_that_changes_the_answer(tiny_model):
    sizes = set()
    for text in TEXTS:
        found, size = find_flip(tiny_model, text), smallest_by_trying(tiny_model, text)
        sizes.add(size)
        assert len(found.words) == (size or 0)
        if size:
            at = {text[: word.start].count(" ") for word in found.words}
            assert answer_without(tiny_model, text.split(), at) == found.new_label != found.label
            assert found.is_smallest
    assert sizes - {None}, "no text can be changed: the test would show nothing"


def test_word_by_word_also_changes_the_answer_and_says_that_it_may_not_be_smallest(tiny_model, monkeypatch):
    monkeypatch.setattr(module, "MOST_SETS", 0)
    text = next(text for text in TEXTS if smallest_by_trying(tiny_model, text))
    found = find_flip(tiny_model, text)
    assert found.words
    assert found.new_label != found.label
    assert "A smaller set may exist" in found.sentence


def test_the_sentence_is_plain(tiny_model):
    text = next(text for text in TEXTS if smallest_by_trying(tiny_model, text) == 1)
    found = find_flip(tiny_model, text)
    assert found.sentence.startswith(f"Without “{found.words[0].text}” this would be {found.new_label} (0.")


def test_a_text_without_words_has_nothing_to_leave_out(tiny_model):
    assert find_flip(tiny_model, "").words == ()
    assert "no words" in find_flip(tiny_model, "").sentence


def test_where_nothing_changes_the_answer_it_says_so(tiny_model, monkeypatch):
    monkeypatch.setattr(module, "MOST_WORDS", 0)
    assert "No words were found without which" in find_flip(tiny_model, TEXTS[0]).sentence


def test_a_search_that_would_take_long_ends(tiny_model, monkeypatch):
    monkeypatch.setattr(module, "MOST_CELLS", 3)
    found = find_flip(tiny_model, TEXTS[0])
    assert (found.words, found.is_smallest) == ((), False)


@pytest.mark.parametrize("name", ["pretrained"])
def test_an_encoder_has_no_answer_to_change(name, request):
    from heedful import HeedfulError

    with pytest.raises(HeedfulError, match="gives vectors"):
        find_flip(request.getfixturevalue(name), "text")
