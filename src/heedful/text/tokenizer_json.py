"""Untrusted tokenizer.json files: the vocab is read, and everything else must be what heedful writes.

The file is never passed to the library: it could pad to any length, run endless regular expressions or abort the
process. A new tokeniser is built from the vocab, and the rest of the file is compared with that tokeniser's JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tokenizers import Tokenizer

from heedful.errors import ModelFolderError
from heedful.files.json_difference import first_difference
from heedful.files.unicode import without_lone_surrogates

MAX_FORMS = 2_000_000
MAX_FORM = 1_000  # characters per form
NAME = "tokenizer.json"


def read_tree(text: str) -> dict[str, Any]:
    """Parse the file and check that it has a vocab and a normaliser."""
    try:
        tree = json.loads(text)
        if isinstance(tree["model"]["vocab"], dict) and isinstance(tree["normalizer"]["normalizers"], list):
            return dict(tree)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelFolderError(f"{NAME} is not readable: {type(error).__name__}: {error}") from None
    raise ModelFolderError(f"{NAME} has no vocab")


def vocab_of(tree: Mapping[str, Any], *first: str) -> dict[str, int]:
    """Return the vocab. Its ids must be 0, 1, 2 … without gaps, starting with the forms in `first`."""
    vocab: dict[str, int] = tree["model"]["vocab"]
    if len(vocab) > MAX_FORMS or not set(map(type, vocab.values())) <= {int}:
        raise ModelFolderError(f"{NAME}: the vocab is not a table of at most {MAX_FORMS:,} integers")
    if sorted(vocab.values()) != list(range(len(vocab))) or any(vocab.get(form) != i for i, form in enumerate(first)):
        raise ModelFolderError(f"{NAME}: the ids are not 0, 1, 2 … with {', '.join(first)} first")
    every = "".join(vocab)
    if max(map(len, vocab), default=0) > MAX_FORM or without_lone_surrogates(every) != every:
        raise ModelFolderError(f"{NAME}: the vocab has a form that cannot occur in a text")
    return vocab


def is_lowercase(tree: Mapping[str, Any]) -> bool:
    """Return whether texts are lower-cased."""
    return {"type": "Lowercase"} in tree["normalizer"]["normalizers"]


def check_rest(tree: Mapping[str, Any], empty: Tokenizer, *learned: str) -> None:
    """Raise if the file differs from the JSON of our tokeniser in anything except the `learned` parts of its model.

    A newer library may write further keys for features that are not in use.
    """
    ours = json.loads(empty.to_str())
    given = {**tree, "model": {key: value for key, value in tree["model"].items() if key not in learned}}
    if (place := first_difference(given, ours, allow_unset=True, place="part")) is not None:
        raise ModelFolderError(f"{NAME} has a {place[:60]} that heedful does not write")
