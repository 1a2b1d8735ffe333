"""The fewest words without which the answer is another, against trying every set."""

from __future__ import annotations

from itertools import combinations

import pytest
from tests.conftest import make_examples, train_tiny

from heedful import load
from heedful.explain.attention import flip_search as module
from heedful.explain.attention.flip import find_flip
from heedful.explain.attention.flip_search import Search, SumSearch, search_of
from heedful.explain.attention.model_input import answers, read

TEXTS = ["the parcel was great and lovely", "awful", "it came on monday and was broken", "great great great great"]


@pytest.fixture(scope="module")
def pruned_model(tmp_path_factory):
    """A model without contributions: every set of a size is tried."""
    return load(train_tiny(tmp_path_factory.mktemp("pruned") / "pruned", head="pruned"), threads=1)


@pytest.fixture(params=["contributions", "no contributions"])
def model(request, tiny_model, pruned_model):
    return tiny_model if request.param == "contributions" else pruned_model


def answer_without(model, words, left_out):
    return model.predict(" ".join(word for i, word in enumerate(words) if i not in left_out))


def smallest_by_trying(model, text):
    """Return the size of the smallest set that changes the answer, or None."""
    words, own = text.split(), model.predict(text)
    for size in range(1, len(words) + 1):
        if any(answer_without(model, words, set(one)) != own for one in combinations(range(len(words)), size)):
            return size
    return None


def test_it_is_the_smallest_set_that_changes_the_answer(model):
    sizes = set()
    for text in TEXTS:
        found, size = find_flip(model, text), smallest_by_trying(model, text)
        sizes.add(size)
        assert len(found.words) == (size or 0)
        if size:
            at = {text[: word.start].count(" ") for word in found.words}
            assert answer_without(model, text.split(), at) == found.new_label != found.label
        tries_all = search_of(model, read(model, text), 0).__class__ is Search or len(text.split()) <= 3
        assert found.is_smallest == (tries_all or size in (1, 2))
        assert ("A smaller set may exist" in found.sentence) == (bool(size) and not found.is_smallest)
    assert sizes - {None}, "no text can be changed: the test would show nothing"


def test_what_is_said_to_be_smallest_is(tiny_model):
    """Contributions choose the sets that are tried; every claim is checked by trying all."""
    claimed = 0
    for text in dict.fromkeys(example.text for example in make_examples(40, seed=3)):
        found, size = find_flip(tiny_model, text), smallest_by_trying(tiny_model, text)
        if found.is_smallest:
            claimed += 1
            assert len(found.words) == (size or 0)
        else:
            assert not found.words or len(found.words) >= size
    assert claimed > 5


def test_contributions_need_a_tenth_of_the_runs(tiny_model, monkeypatch):
    n_run, sizes = [], {Search: [], SumSearch: []}
    runs = dict.fromkeys(sizes, 0)
    monkeypatch.setattr(module, "answers", lambda model, some: n_run.append(len(some)) or answers(model, some))
    short = [example.text for example in make_examples(40, seed=3)]
    for text in map(" ".join, zip(short[::2], short[1::2], strict=True)):
        reading, answer = read(tiny_model, text), tiny_model.labels.index(tiny_model.predict(text))
        for search, found in sizes.items():
            n_run.clear()
            found.append(len(search(tiny_model, reading, answer).smallest()[0]))
            runs[search] += sum(n_run)
    assert runs[SumSearch] < runs[Search] / 10
    pairs = list(zip(sizes[Search], sizes[SumSearch], strict=True))
    assert all(likely > 0 for every, likely in pairs if every), "a set is found wherever there is one"
    assert sum(likely <= every for every, likely in pairs if every) >= 0.8 * sum(every > 0 for every, _ in pairs)


def test_word_by_word_also_changes_the_answer_and_says_that_it_may_not_be_smallest(pruned_model, monkeypatch):
    monkeypatch.setattr(module, "MOST_SETS", 0)
    text = next(text for text in TEXTS if smallest_by_trying(pruned_model, text))
    found = find_flip(pruned_model, text)
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


def test_where_nothing_changes_the_answer_it_says_so(model, monkeypatch):
    monkeypatch.setattr(module, "MOST_WORDS", 0)
    assert "No words were found without which" in find_flip(model, TEXTS[0]).sentence


def test_a_search_that_would_take_long_ends(model, monkeypatch):
    monkeypatch.setattr(module, "MOST_CELLS", 3)
    found = find_flip(model, TEXTS[0])
    assert (found.words, found.is_smallest) == ((), False)


@pytest.mark.parametrize("name", ["pretrained"])
def test_an_encoder_has_no_answer_to_change(name, request):
    from heedful import HeedfulError

    with pytest.raises(HeedfulError, match="gives vectors"):
        find_flip(request.getfixturevalue(name), "text")
