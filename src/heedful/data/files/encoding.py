"""The encoding of a file: UTF-8, what its first bytes say, or Western European by the bytes of the whole file."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
WESTERN = "cp1252"
OTHERS = "cp1250, cp1251, gb18030, shift_jis or latin-1"
UNDEFINED = bytes([0x81, 0x8D, 0x8F, 0x90, 0x9D])  # in cp1252
# Characters of cp1252 that do not occur inside a word: there, other encodings have letters.
_SYMBOLS = np.array([*(0x82, 0x83, 0x84, 0x86, 0x87, 0x88, 0x8B, 0x98, 0x9B), *range(0xA1, 0xC0)])
STRANGE = np.setdiff1d(_SYMBOLS, [0xAA, 0xAD, 0xB4, 0xB7, 0xBA])
# Letters that few Western languages have, and the letters of these languages. Czech, Hungarian, Turkish and other texts
# that are read as cp1252 have many of them, beside letters that none of these languages has.
RARE = "ðþýøõìšžÿ"
LANGUAGES = ("áéíóúýðþæö", "áíóúýæøð", "æøåéèêóòôäöüß", "áâãàçéêíóôõúüºª", "äöüõšžåé", "àèéìíòóùú")
RARE_SHARE, COVERED = 0.04, 0.95
DENSE, FEW = 0.4, 20  # share of letters that are not ASCII, and the least number of them to count
LONG_RUNS, FEW_IN_RUNS = 0.7, 4  # share of bytes that follow another: words of other scripts are all such bytes
ODD = 0.2  # share of symbols inside a word
PEEK = 200  # bytes to look for UTF-16 without a mark
MOST_SAMPLES = 3
_WORD = re.compile(r"[\w’']*[^\x00-\x7f][\w’']*")


def marked_encoding(raw: bytes) -> str | None:
    """Return UTF-16 or UTF-32 if the first bytes of a file say so: by a mark, or by zeros in every second byte."""
    if raw.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):  # first: one of them starts with the mark of UTF-16
        return "utf-32"
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    start = raw[:PEEK]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if len(start) < 4 or even + odd < 0.4 * len(start) or min(even, odd) > 0.1 * len(start):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


@dataclass
class ByteCounts:
    """Counts of the lines of a file that are not ASCII."""

    n_utf8: int = 0  # lines
    n_other: int = 0
    first_utf8: int = 0  # the number of a line
    letters: int = 0  # bytes: ASCII letters, and bytes that are not ASCII
    high: int = 0
    in_runs: int = 0
    strange: int = 0
    undefined: int = 0
    codes: Counts = field(default_factory=lambda: np.zeros(256, np.int64))
    samples: list[str] = field(default_factory=list)

    def add(self, number: int, raw: bytes) -> None:
        """Count a line."""
        try:
            raw.decode("utf-8")
        except UnicodeDecodeError:
            self.n_other += 1
        else:
            self.n_utf8 += 1
            self.first_utf8 = self.first_utf8 or number
        codes = np.frombuffer(raw, np.uint8)
        is_high = codes >= 0x80
        is_letter = is_high | (((codes | 0x20) >= 0x61) & ((codes | 0x20) <= 0x7A))
        inside = np.zeros_like(is_high)
        inside[1:-1] = is_letter[:-2] & is_letter[2:]
        self.codes += np.bincount(codes, minlength=256)
        self.high += int(is_high.sum())
        self.letters += int(is_letter.sum())
        self.in_runs += int((is_high[1:] & is_high[:-1]).sum())
        self.strange += int((np.isin(codes, STRANGE) & inside).sum())
        self.undefined += sum(raw.count(byte) for byte in UNDEFINED)
        self._keep_samples(raw)

    def _keep_samples(self, raw: bytes) -> None:
        if len(self.samples) < MOST_SAMPLES and not self.undefined:
            words = _WORD.findall(raw[:10_000].decode(WESTERN, "replace"))
            self.samples += [word for word in words if word not in self.samples and len(word) < 30]
            del self.samples[MOST_SAMPLES:]

    @property
    def is_western(self) -> bool:
        """Whether the lines are plausible as cp1252."""
        is_dense = self.high >= FEW and self.high > DENSE * self.letters
        is_in_runs = self.high >= FEW_IN_RUNS and self.in_runs >= LONG_RUNS * self.high
        is_odd = self.strange > ODD * self.high
        return not (self.undefined or is_dense or is_in_runs or is_odd) and self._fits_a_language()

    def _fits_a_language(self) -> bool:
        """Return whether each rare letter that is frequent belongs to a language that has the other letters too."""
        letters: Counter[str] = Counter()
        for code in range(0x80, 0x100):
            if (char := bytes([code]).decode(WESTERN, "replace").lower()).isalpha():
                letters[char] += int(self.codes[code])
        least = RARE_SHARE * letters.total()
        fitting = [set(language) for language in LANGUAGES if _covered(letters, language) >= COVERED]
        frequent = [char for char in RARE if self.codes[char.encode(WESTERN)[0]] > least]  # capitals may be symbols
        return all(any(char in language for language in fitting) for char in frequent)


def _covered(letters: Counter[str], language: str) -> float:
    return sum(letters[char] for char in language) / max(1, letters.total())


def count_bytes(lines: Iterable[tuple[int, bytes]]) -> ByteCounts:
    """Return the counts of numbered lines."""
    counts = ByteCounts()
    for number, raw in lines:
        if not raw.isascii():
            counts.add(number, raw)
    return counts


def keeps_line_ends(encoding: str) -> bool:
    """Return whether a line feed is one byte, so that lines can be split before they are decoded."""
    return "\n".encode(encoding) == b"\n"
