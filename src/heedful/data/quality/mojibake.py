"""Text that was decoded with the wrong encoding, and leftovers of markup."""

from __future__ import annotations

import re

LOST = "\ufffd"
WRONG = ("cp1252", "latin-1", "cp1251")  # what UTF-8 is read as by mistake
FEWEST = {"cp1251": 4}  # characters in a run: in Cyrillic two letters may happen to be a character of UTF-8
MOST = 20_000  # characters that are looked at

_RUN = re.compile(r"[^\x00-\x7f]{2,}")
_MARKUP = re.compile(
    r"&(?:#\d{1,6}|#x[0-9a-fA-F]{1,5}|[a-zA-Z]{2,8});|</?(?:p|br|b|i|a|div|span|em|strong|li|ul|td|tr)\b[^<>]*>"
)
_UNDEFINED = {0x81, 0x8D, 0x8F, 0x90, 0x9D}  # in cp1252: programs pass these bytes on as control characters


def repaired(text: str) -> str:
    """Return a text with each run that is UTF-8 read with another encoding decoded again."""
    return text if text.isascii() else _RUN.sub(lambda run: _decoded(run.group()) or run.group(), text)


def is_misread(text: str) -> bool:
    """Return whether a text has a run of characters that are UTF-8 read as another encoding, or lost characters."""
    if text.isascii():
        return False
    return LOST in text[:MOST] or any(_decoded(run) is not None for run in _RUN.findall(text[:MOST]))


def has_markup(text: str) -> bool:
    """Return whether a text has entities or tags of HTML."""
    return ("&" in text or "<" in text) and _MARKUP.search(text[:MOST]) is not None


def _decoded(run: str) -> str | None:
    """Return a run of characters as it was before it was read wrongly; None if it was read well."""
    for encoding in WRONG:
        if len(run) < FEWEST.get(encoding, 2):
            continue
        try:
            whole = b"".join(_byte(char, encoding) for char in run).decode("utf-8")
        except UnicodeError:
            continue
        if len(whole) < len(run):
            return whole
    return None


def _byte(char: str, encoding: str) -> bytes:
    return bytes([ord(char)]) if ord(char) in _UNDEFINED else char.encode(encoding)
