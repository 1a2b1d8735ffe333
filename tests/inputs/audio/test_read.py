from __future__ import annotations

import os
import struct
import sys

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import resample_poly

from heedful.errors import DataError, HeedfulError, MissingExtraError
from heedful.inputs.audio import read as sound
from heedful.inputs.audio.read import Sound, common_rate, rate_of, read_sound, resampled, sound_of


def tone(hertz, rate, seconds=0.5):
    return (0.5 * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def put(path, samples, rate=8000, **how):
    soundfile.write(path, samples, rate, **how)
    return path


@pytest.mark.parametrize("ending", ["wav", "flac", "ogg", "WAV"])
def test_every_kind_of_file_gives_its_samples_and_rate(tmp_path, ending):
    samples = tone(440, 8000)
    found = read_sound(put(tmp_path / f"a.{ending}", samples))
    assert found.rate == 8000 and found.samples.dtype == np.float32 and found.seconds == 0.5
    assert found.samples == pytest.approx(samples, abs=0.05 if ending == "ogg" else 1e-4)  # ogg loses something


def test_of_several_channels_the_mean_comes_back(tmp_path):
    left, right = tone(440, 8000), tone(300, 8000)
    path = put(tmp_path / "a.wav", np.column_stack([left, right]), subtype="FLOAT")
    assert read_sound(path).samples == pytest.approx((left + right) / 2, abs=1e-6)
    assert sound_of((np.column_stack([left, right]), 8000)).samples == pytest.approx((left + right) / 2, abs=1e-6)


def test_a_file_read_in_blocks_is_the_same(tmp_path, monkeypatch):
    path = put(tmp_path / "a.wav", np.column_stack([tone(440, 8000)] * 3))
    whole = read_sound(path)
    monkeypatch.setattr(sound, "BLOCK", 100)
    assert np.array_equal(read_sound(path).samples, whole.samples)


def test_faults_of_files_are_named_with_the_file(tmp_path):
    good = put(tmp_path / "good.wav", tone(440, 8000)).read_bytes()
    for name, content, reason in (
        ("text.wav", b"not a sound at all", "not an audio file, or damaged"),
        ("empty.flac", b"", "not an audio file, or damaged"),
        ("head.wav", good[:20], "not an audio file, or damaged"),
        ("a.mp3", good, r"ends in '.mp3', expected one of .wav, .flac"),
        ("a.raw", good, r"ends in '.raw'"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError, match=rf"{name}: .*{reason}"):
            read_sound(tmp_path / name)
    with pytest.raises(DataError, match=r"none\.wav: no such file"):
        read_sound(tmp_path / "none.wav")
    (tmp_path / "folder.wav").mkdir()
    with pytest.raises(DataError, match=r"folder\.wav: not a file"):
        read_sound(tmp_path / "folder.wav")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.wav")
    with pytest.raises(DataError, match="not a file"):
        read_sound(tmp_path / "pipe.wav")


def test_a_damaged_flac_is_one_message(tmp_path):
    noise = np.random.default_rng(0).normal(size=40_000).astype(np.float32) / 10
    path = put(tmp_path / "a.flac", noise)
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2 :] = bytes(len(raw) - len(raw) // 2)
    path.write_bytes(raw)
    try:
        found = read_sound(path)
    except DataError as error:
        assert "a.flac" in str(error) and "damaged" in str(error)
    else:
        assert np.isfinite(found.samples).all() and len(found.samples) <= 40_000


def test_a_sound_without_samples_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"a\.wav: the recording has no samples"):
        read_sound(put(tmp_path / "a.wav", np.zeros(0, dtype=np.float32)))


def test_a_sound_that_is_too_long_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = put(tmp_path / "a.wav", tone(440, 8000, seconds=2.0))
    monkeypatch.setattr(sound, "MOST_SECONDS", 1.0)
    with pytest.raises(DataError, match="is 2 seconds long, expected at most 1"):
        read_sound(path)
    monkeypatch.setattr(sound, "MOST_SECONDS", 10.0)
    monkeypatch.setattr(sound, "MOST_SAMPLES", 1_000)
    with pytest.raises(DataError, match="has 16,000 samples, expected at most 1,000"):
        read_sound(path)


def test_a_header_that_promises_more_than_there_is_takes_no_memory(tmp_path):
    raw = bytearray(put(tmp_path / "a.wav", tone(440, 8000)).read_bytes())
    at = raw.index(b"data") + 4
    assert struct.unpack_from("<I", raw, at)[0] == 8000  # bytes of 4,000 samples
    struct.pack_into("<I", raw, at, 2**32 - 2)
    (tmp_path / "a.wav").write_bytes(raw)
    assert len(read_sound(tmp_path / "a.wav").samples) == 4000


def test_a_rate_that_no_sound_has_is_refused(tmp_path):
    with pytest.raises(DataError, match="rate is 10, expected 1,000 to 384,000"):
        read_sound(put(tmp_path / "a.wav", np.zeros(10, dtype=np.float32), rate=10))


def test_samples_that_are_no_numbers_are_named(tmp_path):
    samples = tone(440, 8000)
    samples[7] = np.nan
    with pytest.raises(DataError, match=r"a\.wav: sample 7 is nan, expected a finite number"):
        read_sound(put(tmp_path / "a.wav", samples, subtype="FLOAT"))
    with pytest.raises(DataError, match="sample 7 is nan"):
        sound_of((samples, 8000))


def test_what_is_not_a_sound_is_shown_back():
    for given_, reason in (
        (7, "found int 7, expected a path or"),
        ((np.zeros((2, 2, 2)), 8000), r"shape \(2, 2, 2\), expected floats"),
        ((np.zeros(5, dtype=np.int16), 8000), "array of int16"),
        ((np.zeros(5), "fast"), "rate is 'fast'"),
        ((np.zeros(0), 8000), "has no samples"),
    ):
        with pytest.raises(HeedfulError, match=reason):
            sound_of(given_)


def test_the_common_rate_is_the_lowest_and_not_above_the_usual(tmp_path):
    paths = [put(tmp_path / f"{rate}.wav", tone(100, rate), rate=rate) for rate in (44_100, 11_025, 22_050)]
    assert [rate_of(path) for path in paths] == [44_100, 11_025, 22_050]
    assert common_rate(paths) == 11_025 and common_rate(paths[:1]) == 16_000
    assert common_rate([*paths, tmp_path / "none.wav", (np.zeros(9), 8000)]) == 8000


@pytest.mark.parametrize(("old", "new"), [(44_100, 16_000), (8_000, 16_000), (16_000, 8_000), (22_050, 8_000)])
def test_resampling_is_as_scipy_does_it(old, new):
    samples = sum(tone(hertz, old) for hertz in (200, 1_000, 2_900)) / 3
    ours = resampled(Sound(samples.astype(np.float32), old), new)
    factor = np.gcd(old, new)
    theirs = resample_poly(samples, new // factor, old // factor, window=("kaiser", 12.0))
    inner = slice(new // 50, -new // 50)  # ends are filled with zeros by both
    assert ours.rate == new and len(ours.samples) == len(theirs)
    assert ours.samples[inner] == pytest.approx(theirs[inner], abs=0.01)


@pytest.mark.parametrize("new", [8_000, 16_000, 12_345])
def test_a_resampled_tone_is_the_tone_itself(new):
    ours = resampled(Sound(tone(1_000, 44_100), 44_100), new)
    inner = slice(200, new // 2 - 200)
    assert ours.samples[inner] == pytest.approx(tone(1_000, new)[inner], abs=2e-3)


def test_tones_that_a_rate_cannot_hold_are_gone_and_not_folded_back():
    high = Sound(tone(6_000, 44_100), 44_100)
    assert np.abs(high.samples).max() > 0.49
    assert np.abs(resampled(high, 8_000).samples[100:-100]).max() < 0.005


@given(st.integers(1, 300), st.sampled_from([8_000, 11_025, 16_000, 44_100]), st.sampled_from([8_000, 16_000, 10_007]))
def test_a_constant_stays_what_it_is_and_the_time_too(n, old, new):
    found = resampled(Sound(np.ones(n, dtype=np.float32), old), new)
    assert len(found.samples) == -(-n * new // old)
    edge = round(0.006 * new) + 1
    assert found.samples[edge:-edge] == pytest.approx(1.0, abs=1e-3)


def test_without_soxr_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "soxr", None)
    with pytest.raises(MissingExtraError, match=r'Resampling sound needs .*pip install "heedful\[audio\]"'):
        resampled(Sound(tone(440, 8000), 8000), 16_000)


def test_without_soundfile_the_extra_is_named(tmp_path, monkeypatch):
    path = put(tmp_path / "a.wav", tone(440, 8000))
    monkeypatch.setitem(sys.modules, "soundfile", None)
    with pytest.raises(MissingExtraError, match=r'Reading audio needs .*pip install "heedful\[audio\]"'):
        read_sound(path)
