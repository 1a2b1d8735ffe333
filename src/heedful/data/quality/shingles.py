"""Texts as sets of short windows of characters, and MinHash signatures of these sets."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LENGTH = 4  # characters in a window
BANDS, ROWS = 16, 4  # of a signature: texts that agree in a whole band are compared
SIZE = BANDS * ROWS
BLOCK = 400_000  # characters whose windows are hashed at once
MOST_CHARACTERS = 20_000  # of a text: what follows is not compared

Signatures = NDArray[np.uint32]

_BETWEEN = re.compile(r"[\W_]+")
# A character of these scripts says as much as two letters: it is doubled, and so a window has two of them.
_DENSE = re.compile("([\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff])")
_BASE, _MIX = 0x9E3779B97F4A7C15, np.uint64(0xBF58476D1CE4E5B9)


def plain_form(text: str) -> str:
    """Return a text without case, punctuation and extra spaces, by which duplicates are compared."""
    text = text[:MOST_CHARACTERS]
    lower = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    return _BETWEEN.sub(" ", lower).strip() or lower.strip()


def digest(form: str) -> int:
    """Return a 64-bit hash of a plain form."""
    return int.from_bytes(hashlib.blake2b(form.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _windowed(form: str) -> str:
    dense = form if form.isascii() else _DENSE.sub(r"\1\1", form)
    return f" {dense} ".ljust(LENGTH)


def shingles(form: str) -> frozenset[str]:
    """Return the windows of a plain form."""
    text = _windowed(form)
    return frozenset(text[i : i + LENGTH] for i in range(len(text) - LENGTH + 1))


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the share of the windows of either text that both have."""
    both = len(first & second)
    return both / max(1, len(first) + len(second) - both)


class Signer:
    """Makes the signatures of texts: the expected share of equal numbers in two of them is the Jaccard index."""

    def __init__(self, *, seed: int = 0) -> None:
        rng = np.random.default_rng([seed, 0x51])
        self._factors = rng.integers(1, 2**63, size=SIZE, dtype=np.uint64) * np.uint64(2) + np.uint64(1)

    def signatures(self, forms: Sequence[str]) -> Signatures:
        """Return the signature (text, number) of each plain form."""
        made = np.empty((len(forms), SIZE), dtype=np.uint32)
        start = size = 0
        for i, form in enumerate(forms):
            size += len(form) + LENGTH
            if size >= BLOCK or i == len(forms) - 1:
                made[start : i + 1] = self._block(forms[start : i + 1])
                start, size = i + 1, 0
        return made

    def _block(self, forms: Sequence[str]) -> Signatures:
        texts = [_windowed(form) for form in forms]
        joined = "".join(texts)
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
        lengths = np.array([len(text) for text in texts])
        hashes = np.zeros(len(codes) - LENGTH + 1, dtype=np.uint64)
        for i in range(LENGTH):
            hashes = (hashes + codes[i : len(hashes) + i] + np.uint64(1)) * np.uint64(_BASE)
        hashes ^= hashes >> np.uint64(32)
        hashes *= _MIX
        ends = np.cumsum(lengths)
        within = np.ones(len(codes), dtype=np.bool_)  # windows that reach into the next text do not count
        for i in range(1, LENGTH):
            within[ends - i] = False
        hashes = hashes[within[: len(hashes)]]
        starts = np.concatenate([[0], np.cumsum(lengths - LENGTH + 1)[:-1]])
        made = np.empty((len(forms), SIZE), dtype=np.uint32)
        for i, factor in enumerate(self._factors):
            made[:, i] = np.minimum.reduceat(((hashes * factor) >> np.uint64(32)).astype(np.uint32), starts)
        return made


def agreement(signatures: Signatures, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the share of equal numbers in the signatures of each pair of rows: an estimate of the Jaccard index."""
    shares = np.empty(len(first))
    for at in range(0, len(first), 100_000):
        some = slice(at, at + 100_000)
        shares[some] = (signatures[first[some]] == signatures[second[some]]).mean(axis=1)
    return shares
