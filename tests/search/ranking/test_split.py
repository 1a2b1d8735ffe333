from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.search.ranking.split import LEAST, LONGEST, TARGET, passages_of


def texts_of(text: str) -> list[str]:
    return [text[start:end] for start, end in passages_of(text)]


def test_a_short_text_is_one_passage():
    assert passages_of("") == [(0, 0)] and texts_of("a" * LONGEST) == ["a" * LONGEST]


@given(st.text(alphabet="ab .\n#。", max_size=300), st.integers(1, 60))
def test_passages_are_the_text_and_bounded(text, times):
    passages = texts_of(text * times)
    assert "".join(passages) == text * times
    assert all(len(passage) <= LONGEST for passage in passages)
    assert all(len(passage) >= LEAST for passage in passages[:-1])


@pytest.mark.parametrize(("end", "start"), [("\n", "# Heading"), ("\n\n", "New paragraph"), (". ", "New sentence")])
def test_a_passage_ends_at_the_best_break(end, start):
    text = "x y " * 250 + "z" + end + start + " word" * 600
    first, second, *_ = texts_of(text)
    assert first.endswith("z" + end) and second.startswith(start)


def test_text_without_breaks_is_split_anywhere_and_fast():
    started = time.monotonic()
    assert {len(passage) for passage in texts_of("早" * TARGET * 1_000)[:-1]} == {TARGET}
    assert len(texts_of("\n" * 500_000)) > 100
    assert time.monotonic() - started < 20
