"""The names of fonts for a text: by its script, for a drawing program does not always find one by itself."""

from __future__ import annotations

import unicodedata

from heedful.show.kit.text.text_width import is_emoji
from heedful.show.kit.text.truncate import clings

SANS = "'Noto Sans', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
EMOJI = "'Noto Color Emoji', 'Apple Color Emoji', 'Segoe UI Emoji'"
_OURS = {"LATIN", "GREEK", "CYRILLIC"}  # the scripts that SANS has
_ASIAN = {
    "CJK": "'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei'",
    "HIRAGANA": "'Noto Sans CJK JP', 'Hiragino Sans', 'Yu Gothic'",
    "KATAKANA": "'Noto Sans CJK JP', 'Hiragino Sans', 'Yu Gothic'",
    "HANGUL": "'Noto Sans CJK KR', 'Apple SD Gothic Neo', 'Malgun Gothic'",
}


def typeface(text: str) -> str:
    """Return the fonts for a text, or nothing where SANS will do."""
    drawn = [c for c in text if not clings(c)]
    if drawn and all(map(_is_picture, drawn)):
        return f"{EMOJI}, {SANS}"
    script = next((name for name in map(_script, drawn) if name), "")
    if not script:
        return ""
    face = _ASIAN.get(script, f"'Noto Sans {script.title()}'")
    return f"{face}, {SANS}"


def _is_picture(c: str) -> bool:
    return is_emoji(c) or unicodedata.category(c) == "So"


def _script(c: str) -> str:
    """Return the script of a letter by its Unicode name; nothing for marks, and for what SANS has."""
    name = unicodedata.name(c, "").partition(" ")[0] if c.isalpha() else ""
    return "" if name in _OURS or not name.isalpha() else name
