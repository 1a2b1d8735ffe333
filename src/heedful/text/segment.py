"""Words in scripts that are written without spaces: Chinese, Japanese and Thai."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any

from heedful.text.tokens import TokenisedWord

_KANA = re.compile("[\u3041-\u30ff\uff66-\uff9f]")
_HAN = re.compile("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_THAI = re.compile("[\u0e01-\u0e4f]")
_FIRST_UNSPACED = "\u0e01"
_MOST_CACHED = 200  # characters
_ANY = re.compile(f"{_KANA.pattern}|{_HAN.pattern}|{_THAI.pattern}")


def segmented(text: str, words: Sequence[TokenisedWord]) -> list[TokenisedWord]:
    """Join the characters of scripts without spaces into words, by the models of BudouX. Other words stay."""
    if text.isascii() or not _ANY.search(text):
        return list(words)
    language = "ja" if _KANA.search(text) else "zh"
    joined: list[TokenisedWord] = []
    for run in _runs(text, words):
        starts = _starts(text, run, language) if len(run) > 1 else {run[0].start}
        for word in run:
            if joined and word is not run[0] and word.start not in starts:
                last = joined.pop()
                known = last.is_known and word.is_known
                word = TokenisedWord(last.start, word.end, last.n_tokens + word.n_tokens, known)
            joined.append(word)
    return joined


def _runs(text: str, words: Sequence[TokenisedWord]) -> Iterator[list[TokenisedWord]]:
    """Yield adjacent characters of one kind of script together, and every other word alone."""
    run: list[TokenisedWord] = []
    kind_of_run: str | None = None
    for word in words:
        kind = _kind(text[word.start])
        if run and (kind is None or kind != kind_of_run or run[-1].end != word.start):
            yield run
            run = []
        run.append(word)
        kind_of_run = kind
    if run:
        yield run


def _kind(first: str) -> str | None:
    if first < _FIRST_UNSPACED:
        return None
    if _THAI.match(first):
        return "th"
    return "han" if _HAN.match(first) or _KANA.match(first) else None


def _starts(text: str, run: Sequence[TokenisedWord], language: str) -> set[int]:
    """Return the offsets at which a word of the run starts."""
    first, last = run[0].start, run[-1].end
    if _THAI.match(text[first]):
        language = "th"
    part = text[first:last]
    lengths = _lengths(part, language) if len(part) <= _MOST_CACHED else _word_lengths(part, language)
    return set(accumulate(lengths[:-1], initial=first))


def _word_lengths(run: str, language: str) -> tuple[int, ...]:
    return tuple(len(word) for word in _parser(language).parse(run))


_lengths = lru_cache(maxsize=10_000)(_word_lengths)  # the same texts are read several times after training


@cache
def _parser(language: str) -> Any:
    import budoux

    load = {
        "ja": budoux.load_default_japanese_parser,
        "zh": budoux.load_default_simplified_chinese_parser,
        "th": budoux.load_default_thai_parser,
    }
    return load[language]()
