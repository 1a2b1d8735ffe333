"""A rough test for English, only used to choose a default."""

from __future__ import annotations

import re
from collections.abc import Sequence

SAMPLE = 500  # texts
SHARE = 0.12  # of common words; English prose has 0.3 or more, related languages far below 0.1
COMMON_WORDS = """
the and of to is it you that was for on are with as his they be at this have from or had by but not what all were we
when your can said there an each which she how their if will up other about out many then them these so some her would
make like him into has my i'm it's don't i been who its now did get may part just very no than could only any our after
also does
"""
COMMON = frozenset(COMMON_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def looks_english(texts: Sequence[str]) -> bool:
    """Return whether the share of common English words in a sample of the texts is high enough."""
    step = max(1, len(texts) // SAMPLE)
    words = [word for text in texts[::step] for word in _WORD.findall(text.lower())]
    return sum(word in COMMON for word in words) >= SHARE * max(1, len(words))
