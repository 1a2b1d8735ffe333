from __future__ import annotations

import re
import struct
import zlib
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import resvg_py
from tests.inputs.summed import drawn_sum, with_sum

from heedful.errors import DataError, HeedfulError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT, Explanation, Word
from heedful.inputs.audio.featuriser import SoundFeaturiser
from heedful.inputs.audio.picture import BARS, GUTTER, MOST_BOXES, WAVE, Axis, sound_picture, wave
from heedful.inputs.audio.read import Sound
from heedful.inputs.audio.spectrogram import png_of, spectrogram, tone_marks
from heedful.show.heatmaps.picture import MARGIN
from heedful.show.heatmaps.view import view
from heedful.show.kit.svg import svg
from heedful.show.kit.svg.shades import FAINT
from heedful.store.verdict import NOT_AUDITED, Verdict

NAME = "{http://www.w3.org/2000/svg}"
OURS = {"svg", "title", "desc", "rect", "text", "path", "image"}
LEFT, RIGHT = MARGIN + GUTTER, 760 - MARGIN


def tone(seconds, rate=8000, hertz=1000):
    return Sound(np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate).astype(np.float32), rate)


def explained(sound, *, effects=True, label="seven", verdict=NOT_AUDITED, seed=0, **how):
    text, spans, _ = SoundFeaturiser(**{"rate": 8000, **how}).parts(sound)
    words = tuple(Word(text[a:b], a, b, True) for a, b in spans)
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.full(len(words), 0.3), size=3).astype(np.float32)
    given = {LEAVE_ONE_OUT: rng.normal(size=len(words))} if effects else {}
    answer = {label: 0.9, "six": 0.1}
    return Explanation(text, words, weights, label, answer, len(text), given, verdict=verdict, kind="audio")


def sheet_of(sound, **how):
    return view(explained(sound, **how))


def elements(source, kind):
    return [e for e in ElementTree.fromstring(source).iter() if e.tag == f"{NAME}{kind}"]


def said(source):
    return " ".join(e.text for e in elements(source, "text"))


def boxes(source, high):
    """Return (left, right, colour) of the boxes of one height."""
    found = [e for e in elements(source, "rect") if e.get("height") == f"{high:.1f}" and e.get("fill") != "none"]
    return [(float(e.get("x")), float(e.get("x")) + float(e.get("width")), e.get("fill")) for e in found]


def test_every_stretch_stands_on_a_ground_of_its_time_and_shade():
    sound = tone(1.0)
    drawn = sheet_of(sound)
    grounds = boxes(sound_picture(drawn, sound), WAVE)
    wanted = []
    for i, shade in enumerate(drawn.rows[0].shades):
        if shade >= FAINT:
            ends = [LEFT + min(1.0, (i + k) * 0.1) * (RIGHT - LEFT) for k in (0, 1)]
            wanted.append((*ends, svg.shade_colour(float(shade), is_signed=False)))
    assert 2 < len(wanted) < 10
    assert [g[2] for g in grounds] == [w[2] for w in wanted]
    assert np.array([g[:2] for g in grounds]) == pytest.approx(np.array([w[:2] for w in wanted]), abs=0.11)


def test_bars_go_up_for_the_label_and_down_against_it():
    sound = tone(1.0)
    drawn = sheet_of(sound)
    row = replace(drawn.rows[1], values=np.eye(10)[2] - np.eye(10)[5] / 2, shades=(np.eye(10)[2] - np.eye(10)[5] / 2))
    source = sound_picture(replace(drawn, rows=(drawn.rows[0], row)), sound)
    up, down = (
        next(
            e
            for e in elements(source, "rect")
            if e.get("fill") == svg.shade_colour(s, is_signed=True) and e.get("height") == h
        )
        for s, h in ((1, "36.0"), (-1, "18.0"))
    )
    assert float(up.get("y")) + 36 == float(down.get("y"))
    assert [float(e.get("x")) for e in (up, down)] == pytest.approx(
        [LEFT + share * (RIGHT - LEFT) + 0.5 for share in (0.2, 0.5)], abs=0.06
    )
    assert "+1.00" in said(source) and "–1.00" in said(source)


def test_without_effects_there_are_no_bars_and_no_words_about_them():
    sound = tone(1.0)
    source = sound_picture(sheet_of(sound, effects=False), sound)
    assert "Leave-one-out" not in said(source) and "blue bar" not in said(source) and "Attention" in said(source)
    assert "Leave-one-out for seven" in said(sound_picture(sheet_of(sound), sound))


def test_the_answer_the_time_the_tones_and_the_verdict_are_there():
    sound = tone(1.0)
    words = said(sound_picture(sheet_of(sound), sound))
    for part in ("seven", "0.90", "six 0.10", "0.0 s", "1.0", "kHz", "0.5", "1.00 seconds", "Not audited", "stretch"):
        assert part in words
    assert "word" not in words


def test_a_file_is_named_and_what_was_not_read_too(tmp_path):
    sound = tone(30.0)
    drawn = sheet_of(sound)
    assert len(drawn.words) == 100
    words = said(sound_picture(drawn, sound))
    assert "30.00 seconds, of which the first 10.0 were read" in words and "10" in words and "20" not in words.split()
    with pytest.raises(DataError, match="no such file"):
        sound_picture(drawn, tmp_path / "gone.wav")


def test_a_long_sound_stays_small_and_shows_its_strongest_stretch():
    sound = Sound(np.random.default_rng(0).normal(size=600 * 8000).astype(np.float32), 8000)
    drawn = sheet_of(sound, max_tokens=60_000)
    assert len(drawn.words) == 6000
    source = sound_picture(drawn, sound)
    assert len(source) < 300_000 and len(boxes(source, WAVE)) <= MOST_BOXES
    strongest = svg.shade_colour(float(drawn.rows[0].shades.max()), is_signed=False)
    assert strongest in [colour for *_, colour in boxes(source, WAVE)]


@pytest.mark.parametrize("seconds", [1 / 8000, 0.01, 0.05, 0.3, 2.5, 61.0])
def test_any_length_is_a_picture_with_marks_in_order(seconds):
    sound = tone(seconds)
    source = sound_picture(sheet_of(sound, max_tokens=10_000), sound)
    assert resvg_py.svg_to_bytes(svg_string=source)
    marks = Axis(0, 700, seconds).marks
    assert 2 <= len(marks) <= 11 and marks[0] == 0 and marks[-1] <= seconds * 1.001


def test_silence_is_a_picture():
    sound = Sound(np.zeros(8000, dtype=np.float32), 8000)
    assert "nan" not in sound_picture(sheet_of(sound), sound)


def test_a_hostile_label_and_verdict_leave_nothing_of_their_own(evil_text):
    sound = tone(0.5)
    source = sound_picture(sheet_of(sound, label=evil_text, verdict=Verdict("worse", evil_text)), sound)
    assert "<script>" in evil_text
    found = list(ElementTree.fromstring(source).iter())
    assert {e.tag.removeprefix(NAME) for e in found} <= OURS
    assert not any(name.startswith("on") or name == "style" for e in found for name in e.attrib)
    assert not any("evil" in value for e in found for value in e.attrib.values())
    (linked,) = [e for e in found if "href" in e.attrib]
    assert linked.tag == f"{NAME}image" and linked.get("href").startswith("data:image/png;base64,")


def test_parts_that_are_not_times_and_widths_that_are_no_picture_are_refused(make):
    with pytest.raises(HeedfulError, match="found parts 'one', 'two', expected the seconds"):
        sound_picture(view(make("one two")), tone(1.0))
    with pytest.raises(HeedfulError, match=r"width is 10, .* from 240 to 10000"):
        sound_picture(sheet_of(tone(1.0)), tone(1.0), width=10)


def test_the_wave_has_the_lowest_and_highest_sample_of_each_column():
    samples = np.zeros(1000, dtype=np.float32)
    samples[510], samples[515] = 1.0, -0.5
    shape = wave(samples, Axis(0, 100, 1.0), 0.0, 100.0)
    places = np.array([p.split(",") for p in re.search('d="M(.*)Z"', shape)[1].split()], dtype=float)
    assert len(places) == 200
    assert places[51] == pytest.approx([51 / 99 * 100, 50 - 48 - 0.4], abs=0.06)
    assert places[199 - 51] == pytest.approx([51 / 99 * 100, 50 + 24 + 0.4], abs=0.06)
    assert np.delete(places[:, 1], [51, 148]) == pytest.approx(50, abs=0.45)


def test_a_spectrogram_is_dark_at_its_tone_alone():
    values = spectrogram(tone(1.0, hertz=1000))
    assert values.shape == (64, 99) and values.max() == 1.0 and values.min() == 0.0
    middle = values[:, 50]
    marks = dict(tone_marks(8000))
    assert marks.keys() == {"0.25", "0.5", "1", "2"}
    assert abs(middle.argmax() / 64 - marks["1"]) < 0.03 and middle[:10].max() < 0.1


def test_a_png_made_by_hand_is_read_by_the_rules():
    raw = png_of(np.array([[0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]))
    assert raw[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(raw):
        (size,) = struct.unpack_from(">I", raw, at)
        kind, content = raw[at + 4 : at + 8], raw[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", raw, at + 8 + size)[0] == zlib.crc32(kind + content)
        chunks[kind], at = content, at + 12 + size
    assert list(chunks) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    assert struct.unpack(">IIBBBBB", chunks[b"IHDR"]) == (3, 2, 8, 3, 0, 0, 0)
    assert zlib.decompress(chunks[b"IDAT"]) == bytes([0, 0, 63, 0, 0, 63, 63, 0])
    assert chunks[b"PLTE"][:3] == b"\xff" * 3 and tuple(chunks[b"PLTE"][-3:]) == (22, 48, 74)


def test_the_spectrogram_is_seen_in_the_picture():
    sound = tone(1.0)
    source = sound_picture(sheet_of(sound, effects=False), sound)
    without = re.sub("<image[^>]*>", "", source)
    assert source != without
    assert bytes(resvg_py.svg_to_bytes(svg_string=source)) != bytes(resvg_py.svg_to_bytes(svg_string=without))


def test_contributions_are_drawn_over_the_wave_and_their_bars_sum_to_the_score():
    sound = tone(1.0)
    values = np.array([0.5, -1.0, 2.0, 0.0, 0.25, -0.5, 1.0, -2.0, 0.75, 1.25])
    explanation = with_sum(explained(sound, effects=False), values, bias=0.25)
    source = sound_picture(view(explanation), sound)
    seen = values[np.abs(values) >= 2.0 * FAINT]
    assert [g[2] for g in boxes(source, WAVE)] == [svg.shade_colour(v / 2.0, is_signed=True) for v in seen]
    signs = {svg.shade_colour(sign, is_signed=True): sign for sign in (1, -1)}
    bars = [e for e in elements(source, "rect") if e.get("fill") in signs and float(e.get("width")) > 10]
    bars = [e for e in bars if e.get("height") != f"{WAVE:.1f}"]
    heights = [signs[e.get("fill")] * float(e.get("height")) / (BARS / 2) * 2.0 for e in bars]
    score, bias, added = drawn_sum(said(source), "stretches of time")
    assert score == pytest.approx(bias + sum(heights), abs=0.05) and (bias, added) == (0.25, values.sum())
    assert score == explanation.scores[0] and "+2.00" in said(source) and "–2.00" in said(source)


def test_a_picture_of_contributions_has_one_wave_and_speaks_of_stretches_of_time():
    sound = tone(1.0)
    source = sound_picture(view(with_sum(explained(sound), np.arange(10) - 7.0)), sound)
    assert sum(e.get("fill-opacity") == "0.7" for e in elements(source, "path")) == 1
    assert len(elements(source, "image")) == 1
    words = said(source)
    assert "what each stretch of time adds to the score" in words and "contributions of all stretches of time" in words
    assert "word" not in words and "frame" not in words
    (about,) = elements(source, "desc")
    assert "Contributions for seven, strongest at 0.0 s (−7.00), 0.1 s (−6.00), 0.2 s (−5.00)" in about.text
    assert "score −25.50 = bias −0.50 + stretches of time −25.00" in about.text
