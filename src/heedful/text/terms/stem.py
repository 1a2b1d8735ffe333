"""Stems of English words, by Porter's algorithm (An algorithm for suffix stripping, 1980)."""

from __future__ import annotations

import re
from functools import lru_cache

_CONSONANTS, _VOWELS = "[^aeiou][^aeiouy]*", "[aeiouy][aeiou]*"
_M_ABOVE_0 = re.compile(f"^(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}")  # [C]VC…
_M_IS_1 = re.compile(f"^(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}(?:{_VOWELS})?$")  # [C]VC[V]
_M_ABOVE_1 = re.compile(f"^(?:{_CONSONANTS})?{_VOWELS}{_CONSONANTS}{_VOWELS}{_CONSONANTS}")  # [C]VCVC…
_HAS_VOWEL = re.compile(f"^(?:{_CONSONANTS})?[aeiouy]")
_ENDS_CVC = re.compile(f"^{_CONSONANTS}[aeiouy][^aeiouwxy]$")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")

_STEP_2 = {
    "ational": "ate", "ization": "ize", "iveness": "ive", "fulness": "ful", "ousness": "ous", "tional": "tion",
    "biliti": "ble", "entli": "ent", "ousli": "ous", "ation": "ate", "alism": "al", "aliti": "al", "iviti": "ive",
    "enci": "ence", "anci": "ance", "izer": "ize", "alli": "al", "ator": "ate", "logi": "log", "bli": "ble", "eli": "e",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ness": "", "ful": ""}
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "al",
    "er", "ic", "ou",
)  # fmt: skip
_LONGEST = 40  # characters; longer words are not of a language


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; words that are not of the letters a to z are returned as they are."""
    if not 3 <= len(word) <= _LONGEST or not (word.isascii() and word.isalpha()):
        return word
    word = "Y" + word[1:] if word[0] == "y" else word  # a consonant
    for step in (_plural, _past, _y_to_i, _step_2, _step_3, _step_4, _final_e):
        word = step(word)
    return word.lower()


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _M_ABOVE_0.match(word[:-3]) else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _HAS_VOWEL.match(start := word[: -len(ending)]):
            return _after_past(start)
    return word


def _after_past(word: str) -> str:
    if word.endswith(("at", "bl", "iz")) or _ENDS_CVC.match(word):
        return word + "e"
    return word[:-1] if _DOUBLE.search(word) else word


def _y_to_i(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _HAS_VOWEL.match(word[:-1]) else word


def _step_2(word: str) -> str:
    return _replaced(word, _STEP_2)


def _step_3(word: str) -> str:
    return _replaced(word, _STEP_3)


def _replaced(word: str, endings: dict[str, str]) -> str:
    for ending, other in endings.items():
        if word.endswith(ending):
            start = word[: -len(ending)]
            return start + other if _M_ABOVE_0.match(start) else word
    return word


def _step_4(word: str) -> str:
    for ending in _STEP_4:
        if word.endswith(ending):
            return word[: -len(ending)] if _M_ABOVE_1.match(word[: -len(ending)]) else word
    return word[:-3] if word.endswith(("sion", "tion")) and _M_ABOVE_1.match(word[:-3]) else word


def _final_e(word: str) -> str:
    if word.endswith("e"):
        start = word[:-1]
        if _M_ABOVE_1.match(start) or (_M_IS_1.match(start) and not _ENDS_CVC.match(start)):
            word = start
    return word[:-1] if word.endswith("ll") and _M_ABOVE_1.match(word) else word
