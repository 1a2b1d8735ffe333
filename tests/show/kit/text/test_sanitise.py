"""What is shown of texts from outside."""

import pytest

from heedful.show.kit.text.sanitise import one_line, visible


@pytest.mark.parametrize(
    "text",
    ["bonjour\u00a0!", "很好\u3000谢谢", "👩\u200d💻", "می\u200cخواهم", "a\u00adb", "a\n\tb", "e\u0301", "plain"],
)
def test_ordinary_text_stays_as_it_is(text):
    assert visible(text) == text


@pytest.mark.parametrize("harmful", ["\x1b", "\x07", "\x00", "\x9b", "\r", "\u202e", "\u2066", "\ud800"])
def test_what_can_harm_is_replaced(harmful):
    assert visible(f"a{harmful}b") == "a�b"


def test_windows_line_ends_are_line_ends():
    assert visible("a\r\nb") == "a\nb"


def test_one_line_has_no_line_breaks():
    assert one_line(" a\r\nb\t c\x1b ") == "a b c�"
