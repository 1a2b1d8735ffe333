"""Texts in pictures, whatever the script."""

from __future__ import annotations

import pytest

from heedful.show.kit.svg.svg import text
from heedful.show.kit.text.text_width import advance


def test_a_text_is_as_wide_as_its_box():
    assert 'textLength="30.0"' in text("word", 0, 0, length=30)


@pytest.mark.parametrize("content", ["होटल", "มี", "e\u0301te"])
def test_a_text_with_marks_is_not_stretched(content):
    assert "textLength" not in text(content, 0, 0, length=30)


def test_vowel_signs_that_stand_beside_a_letter_have_a_width():
    assert advance("का") == pytest.approx(advance("क") + 0.26)
    assert advance("कु") == advance("क")
    assert advance("த") > advance("क") > advance("a")
