"""words.json: the words that drive each label of a model, beside the model that it is about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heedful.errors import ModelFolderError
from heedful.files.json_text import json_text
from heedful.store.contained_files import read_small, write_file
from heedful.store.results.hops_file import rounded
from heedful.store.results.json_checks import LINE, NAME
from heedful.store.results.words_form import MOST_LABELS, MOST_SHORTCUTS, MOST_WORDS, is_label_words

WORDS = "words.json"
MOST_BYTES = 2**20  # of the file: a larger one is not read
SIDES = ("supporting", "opposing")


def write_words(folder: Path, tree: Mapping[str, Any], fingerprint: str) -> Path:
    """Write `LabelWords.to_dict()` atomically, without excerpts of texts."""
    content = json_text({**rounded(_limited(tree)), "fingerprint": fingerprint}, separators=(",", ":"))
    if _checked(content, fingerprint) is None:
        raise ModelFolderError(f"{WORDS} cannot be written: it has values that could not be read again")
    return write_file(folder, WORDS, content)


def read_words(folder: Path, fingerprint: str) -> dict[str, Any] | None:
    """Return the words of each label; None if there is no file, or it is damaged or belongs to another model."""
    content = read_small(folder, WORDS, MOST_BYTES)
    return None if content is None else _checked(content, fingerprint)


def _checked(content: str, fingerprint: str) -> dict[str, Any] | None:
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(tree, dict) or tree.pop("fingerprint", None) != fingerprint:
        return None
    return tree if is_label_words(tree) else None


def _limited(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tree with no more labels and words than are kept, and without examples."""
    labels = [
        {
            **part,
            "label": part["label"][:NAME],
            **{side: [{**word, "examples": []} for word in part[side][:MOST_WORDS]] for side in SIDES},
        }
        for part in tree["labels"][:MOST_LABELS]
    ]
    shortcuts = [
        {**shortcut, "label": shortcut["label"][:NAME], "sentence": shortcut["sentence"][:LINE]}
        for shortcut in tree["shortcuts"][:MOST_SHORTCUTS]
    ]
    named = {"model": tree["model"][:NAME], "file": tree["file"][:NAME]}
    return {**tree, **named, "labels": labels, "shortcuts": shortcuts}
