from __future__ import annotations

import struct
import sys

import pytest

from heedful.errors import HeedfulError, MissingExtraError
from heedful.show.kit.svg import png as module
from heedful.show.kit.svg.png import png

SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20" fill="red"/></svg>'
)


def size(content):
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", content[16:24])


@pytest.fixture
def fonts():
    pytest.importorskip("resvg_py")
    if not module._has_fonts():
        pytest.skip("no fonts on this machine")


def test_a_picture_is_scaled_and_written(fonts, tmp_path):
    drawn = png(SQUARE, tmp_path / "a.png", scale=1.5)
    assert size(drawn) == (45, 30) and (tmp_path / "a.png").read_bytes() == drawn
    assert size(png(SQUARE)) == (60, 40)


def test_an_explanation_is_a_png_whatever_its_text(fonts, make, evil_text):
    for text in ("one two", evil_text, "السلام عليكم", ""):
        assert size(make(text).to_png(scale=1))[0] == 760


def test_a_file_that_cannot_be_written_is_named(fonts, tmp_path):
    with pytest.raises(HeedfulError, match=r"nowhere.*cannot be written"):
        png(SQUARE, tmp_path / "nowhere" / "a.png")


@pytest.mark.parametrize("scale", [0, -1, 100, float("nan")])
def test_a_scale_that_makes_no_picture_is_refused(scale):
    with pytest.raises(HeedfulError, match=f"scale is {scale}"):
        png(SQUARE, scale=scale)


def test_the_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtraError, match=r"heedful\[picture\]"):
        png(SQUARE)


def test_a_machine_without_fonts_gets_an_error_and_no_picture_without_words(monkeypatch, tmp_path):
    resvg = pytest.importorskip("resvg_py")

    class NoFonts:
        @staticmethod
        def svg_to_bytes(**options):
            return resvg.svg_to_bytes(**options, skip_system_fonts=True)

    module._has_fonts.cache_clear()
    monkeypatch.setitem(sys.modules, "resvg_py", NoFonts)
    try:
        with pytest.raises(HeedfulError, match="No fonts"):
            png(SQUARE, tmp_path / "a.png")
    finally:
        module._has_fonts.cache_clear()
    assert not (tmp_path / "a.png").exists()
