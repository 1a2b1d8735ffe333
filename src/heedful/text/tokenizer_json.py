"""tokenizer.json from anywhere: the vocab is taken from it, and the rest must be what we write.

The file never reaches the library: it can pad to any length, run regular expressions without end and abort the process.
A tokeniser is made anew from the vocab, and the rest of the file is compared with the one that is made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tokenizers import Tokenizer

from heedful.errors import ModelFolderError
from heedful.files.unicode import without_half_pairs

MAX_FORMS = 2_000_000
MAX_FORM = 1_000  # characters of one
NAME = "tokenizer.json"


def read_tree(text: str) -> dict[str, Any]:
    """Return the file as a tree that has a model with a vocab and a normaliser."""
    try:
        tree = json.loads(text)
        if isinstance(tree["model"]["vocab"], dict) and isinstance(tree["normalizer"]["normalizers"], list):
            return dict(tree)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelFolderError(f"{NAME} is not readable: {type(error).__name__}: {error}") from None
    raise ModelFolderError(f"{NAME} has no vocab")


def vocab_of(tree: Mapping[str, Any], *first: str) -> dict[str, int]:
    """Return the vocab, whose ids must be 0, 1, 2 … without a gap, with the `first` forms first."""
    vocab: dict[str, int] = tree["model"]["vocab"]
    if len(vocab) > MAX_FORMS or any(type(number) is not int for number in vocab.values()):
        raise ModelFolderError(f"{NAME}: the vocab is not a table of at most {MAX_FORMS:,} whole numbers")
    if sorted(vocab.values()) != list(range(len(vocab))) or any(vocab.get(form) != i for i, form in enumerate(first)):
        raise ModelFolderError(f"{NAME}: the ids are not 0, 1, 2 … with {', '.join(first)} first")
    if any(len(form) > MAX_FORM or without_half_pairs(form) != form for form in vocab):
        raise ModelFolderError(f"{NAME}: the vocab has a form that no text can have")
    return vocab


def is_lowercase(tree: Mapping[str, Any]) -> bool:
    """Return whether texts are made lower case."""
    return {"type": "Lowercase"} in tree["normalizer"]["normalizers"]


def check_rest(tree: Mapping[str, Any], empty: Tokenizer, *learned: str) -> None:
    """Raise where the file differs from what is written for a tokeniser, but for the `learned` parts of its model.

    A newer library may write more keys, which say that something is not used.
    """
    ours = json.loads(empty.to_str())
    given = {**tree, "model": {key: value for key, value in tree["model"].items() if key not in learned}}
    if place := _difference(given, ours):
        raise ModelFolderError(f"{NAME} has a {place[:60]} that heedful does not write")


def _difference(given: Any, ours: Any, place: str = "part") -> str | None:
    if isinstance(given, dict) and isinstance(ours, dict):
        places = (_difference(value, ours.get(key), str(key)) for key, value in given.items())
        return next((each for each in places if each), None)
    if isinstance(given, list) and isinstance(ours, list) and len(given) == len(ours):
        return next((each for pair in zip(given, ours, strict=True) if (each := _difference(*pair, place))), None)
    is_same = type(given) is type(ours) and given == ours
    return None if is_same or (ours is None and given in (None, False, [], {})) else place
