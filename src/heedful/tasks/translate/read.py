"""Texts and their translations: the files, and the numbers a translator takes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from heedful.config import Config
from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.columns import Columns
from heedful.data.example import Example, Row
from heedful.data.features import Item
from heedful.data.input_spec import MAX_TOKENS, is_size
from heedful.data.read import read_labelled, read_texts
from heedful.errors import ConfigError, DataError, ModelFolderError
from heedful.inputs.text.featuriser import SubwordFeaturiser
from heedful.text.bpe import BOS_EOS, BpeTokeniser

TARGET = "target"  # of an item: the ids of the translation, with EOS at the end


def read_task_file(
    path: str | Path, config: Config, *, asked: Columns, hints: Columns | None = None, faults: BadRows = STRICT
) -> tuple[list[Example], Columns]:
    """Read a file of texts with their translations, and say which columns they stood in."""
    examples, columns = read_labelled(path, asked, hints=hints, kind=config.input, faults=faults)
    if examples and not isinstance(examples[0].label, str):
        raise DataError(path, f"data.label names several columns ({columns.label}), expected one for the translation")
    return examples, columns


def read_sources(
    path: str | Path, config: Config, *, asked: Columns, faults: BadRows = STRICT
) -> Iterator[tuple[Row, str]]:
    """Yield the rows of a file with the texts that are to be translated."""
    return read_texts(path, text=asked.text, hint=config.data.text, faults=faults)


class TwoLanguages(SubwordFeaturiser):
    """Sub-words of the language that is read and of the one that is written, numbered each by its own tokeniser."""

    FILE = "input.json"  # in a model folder
    tokeniser: BpeTokeniser  # type: ignore[assignment]

    def __init__(self, source: BpeTokeniser, target: BpeTokeniser, *, max_tokens: int) -> None:
        super().__init__(source, max_tokens=max_tokens)  # type: ignore[arg-type]
        self.target = target

    @classmethod
    def learned(cls, sources: Sequence[tuple[str, str]], config: Config) -> TwoLanguages:
        """Learn the pieces of both languages from texts and their translations."""
        settings = config.text
        if settings.tokens != "subwords":
            raise ConfigError([f"text.tokens is {settings.tokens}: task translate needs subwords."])
        if settings.vectors is not None:
            raise ConfigError(["text.vectors are for words; task translate has sub-words: leave them out."])
        source, target = (
            BpeTokeniser.trained(
                texts, size=settings.vocab_size, min_count=settings.min_count, lowercase=settings.lowercase
            )
            for texts in zip(*sources, strict=True)
        )
        return cls(source, target, max_tokens=settings.max_tokens)

    def both(self, text: str, translation: str) -> Item:
        """Return the ids of a text and of its translation, the latter with EOS at the end."""
        target_ids = self.target.ids(translation)[: self.max_tokens]
        return Item({"ids": self.ids(text), TARGET: np.append(target_ids, BOS_EOS).astype(np.int32)})

    def to_json(self) -> str:
        """Return all that must be remembered."""
        sides = {"source": json.loads(self.tokeniser.to_json()), "target": json.loads(self.target.to_json())}
        return json.dumps({"max_tokens": self.max_tokens, **sides}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> TwoLanguages:
        """Read the output of `to_json`."""
        try:
            tree: Any = json.loads(text)
            sides = [BpeTokeniser.from_json(json.dumps(tree[side])) for side in ("source", "target")]
            max_tokens = tree["max_tokens"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise ModelFolderError(f"input.json is not readable: {type(error).__name__}: {error}") from None
        if not is_size(max_tokens, MAX_TOKENS):
            raise ModelFolderError(f"input.json: max_tokens is {max_tokens!r:.40}, expected 1 to {MAX_TOKENS:,}")
        return cls(*sides, max_tokens=max_tokens)
