"""Korean syllables as letters."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heedful.text.span_hashes import Codes, Places

_FIRST, _N = np.uint64(0xAC00), np.uint64(11_172)  # syllables


class Letters(NamedTuple):
    """Codes with syllables as letters, which of them are letters of syllables, and their places in the codes."""

    codes: Codes
    is_letter: NDArray[np.bool_]
    place: Places


def korean_letters(codes: Codes) -> Letters | None:
    """Return the letters of the syllables, and the other codes between them; None without syllables."""
    numbers = codes - _FIRST
    is_syllable = numbers < _N
    if not is_syllable.any():
        return None
    letters = _letters().take(np.minimum(numbers, _N).view(np.int64), axis=0)  # (code, 3)
    np.copyto(letters[:, 0], codes, where=~is_syllable)
    is_real = letters > 0
    is_real[:, 0] = True  # a code of 0 is a letter too
    place = is_real.nonzero()[0]
    return Letters(letters[is_real], is_syllable.take(place), place)


@cache
def _letters() -> Codes:
    """Return (syllable, 3): two or three letters, and 0; the last row is for other characters."""
    number = np.arange(int(_N))
    last = number % 28
    letters = [0x1100 + number // 588, 0x1161 + number % 588 // 28, np.where(last > 0, 0x11A7 + last, 0)]
    return np.concatenate([np.stack(letters, axis=1), np.zeros((1, 3), dtype=np.int64)]).astype(np.uint64)
