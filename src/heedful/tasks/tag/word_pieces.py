"""Words as the subwords of an encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.data.input_spec import MAX_WIDTH, InputSpec, is_size
from heedful.errors import ModelFolderError
from heedful.text.vocab import UNKNOWN
from heedful.text.wordpiece import WordPieceTokeniser

MOST_PIECES = 8  # of a word: the first


@dataclass(frozen=True)
class Pieces:
    """The tokeniser of words into subwords, and the size of the encoder that reads them."""

    tokeniser: WordPieceTokeniser
    width: int
    units: int

    def __post_init__(self) -> None:
        if not (is_size(self.width, MAX_WIDTH) and is_size(self.units, MAX_WIDTH)):
            raise ModelFolderError(
                f"an encoder of pieces cannot be {self.width!r:.20} wide with {self.units!r:.20} units"
            )

    def rows(self, tokens: Sequence[str]) -> NDArray[np.int32]:
        """Return the subwords of each token (time, subword); a token without any, such as a space, is unknown."""
        cut = [self.tokeniser.ids(token)[:MOST_PIECES] for token in tokens]
        padded = np.zeros((len(tokens), max((len(ids) for ids in cut), default=1) or 1), dtype=np.int32)
        for i, ids in enumerate(cut):
            padded[i, : len(ids)] = ids
            padded[i, 0] = ids[0] if len(ids) else UNKNOWN
        return padded

    def is_known(self, token: str) -> bool:
        """Return whether no part of a token is unknown."""
        return bool((self.rows([token])[0] != UNKNOWN).all())

    def shape(self, words: InputSpec) -> InputSpec:
        """Return what comes in where words of this shape come with their pieces."""
        n_pieces = len(self.tokeniser)
        return replace(words, front="word_pieces", n_pieces=n_pieces, piece_width=self.width, piece_units=self.units)

    def to_tree(self) -> dict[str, Any]:
        """Return all that is needed to make it again."""
        return {"tokenizer": self.tokeniser.to_json(), "width": self.width, "units": self.units}

    @classmethod
    def from_tree(cls, tree: object) -> Pieces:
        """Read the output of `to_tree`."""
        if not isinstance(tree, Mapping) or not isinstance(tree.get("tokenizer"), str):
            raise ModelFolderError("input.json does not describe subwords")
        return cls(WordPieceTokeniser.from_json(tree["tokenizer"]), tree.get("width", 0), tree.get("units", 0))
