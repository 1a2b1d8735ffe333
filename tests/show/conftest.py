from __future__ import annotations

import re

import numpy as np
import pytest

from heedful.explain.attention.explanation import INTEGRATED, LEAVE_ONE_OUT, Explanation, Word
from heedful.store.verdict import NOT_AUDITED

EVIL = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> \"double\" 'single' &amp; javascript:alert(1) "
    "</span></style><style>@import 'http://evil.example/x.css'</style> https://evil.example \x00<scr\x00ipt> \x1b[31m "
    "<!-- --> ]]> {{7*7}} \ud83d \ufffe\uffff </text></svg><svg onload=alert(2)> \u202eturned <a href='https://evil.example'>"
)


@pytest.fixture(scope="session")
def evil_text():
    return EVIL


@pytest.fixture(scope="session")
def make():
    """Return a maker of explanations: each run of non-spaces is a word; weights and effects are drawn at random."""

    def made(
        text,
        *,
        hops=2,
        label="good",
        target="",
        methods=(LEAVE_ONE_OUT, INTEGRATED),
        verdict=NOT_AUDITED,
        even=False,
        **more,
    ):
        found = enumerate(re.finditer(r"\S+", text))
        words = tuple(Word(m.group(), m.start(), m.end(), i % 2 == 0) for i, m in found)
        random = np.random.default_rng(0)
        weights = np.ones((hops, len(words))) if even else np.exp(2 * random.gumbel(size=(hops, len(words))))
        weights = (weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-12)).astype(np.float32)
        effects = {method: random.normal(size=len(words)) / 4 for method in methods}
        return Explanation(
            text, words, weights, label, {label: 0.75, "other": 0.25}, len(text), effects, target, verdict, **more
        )

    return made
