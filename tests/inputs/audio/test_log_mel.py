from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.inputs.audio import log_mel as module
from heedful.inputs.audio.log_mel import band_edges, fft_size, hertz, log_mel, mel, mel_energy, mel_filters, n_frames

RATE = 8000


def noise(n, seed=0):
    return np.random.default_rng(seed).normal(size=n).astype(np.float32)


def by_hand(samples, n_mels):
    """Return the energies of the bands as the books write them: one frame, one bin, one band at a time."""
    samples = samples.astype(np.float64) - samples.mean(dtype=np.float64)
    found = []
    for start in range(0, len(samples) - 200 + 1, 80):
        windowed = [samples[start + i] * (0.5 - 0.5 * np.cos(2 * np.pi * i / 200)) for i in range(200)]
        power = np.abs(np.fft.fft([*windowed, *[0.0] * 56])[:129]) ** 2
        edges = [700 * (10 ** (m / 2595) - 1) for m in np.linspace(0, 2595 * np.log10(1 + 4000 / 700), n_mels + 2)]
        row = []
        for low, middle, high in zip(edges, edges[1:], edges[2:], strict=False):
            total = 0.0
            for k in range(129):
                f = k * 8000 / 256
                if low < f <= middle:
                    total += power[k] * (f - low) / (middle - low)
                elif middle < f < high:
                    total += power[k] * (high - f) / (high - middle)
            row.append(total)
        found.append(row)
    return np.array(found)


def test_energies_are_those_of_the_formula_by_hand():
    samples = noise(200 + 4 * 80)
    assert fft_size(RATE, 20) == 256
    assert mel_energy(samples, RATE, n_mels=20) == pytest.approx(by_hand(samples, 20), rel=1e-5)


def test_the_mel_scale_has_1000_at_1000_hertz_and_a_way_back():
    assert float(mel(1000.0)) == pytest.approx(1000.0, abs=0.1)
    tones = np.array([0.0, 20.0, 440.0, 3999.0])
    assert hertz(mel(tones)) == pytest.approx(tones)


@pytest.mark.parametrize("hz", [150, 440, 1000, 3000])
def test_a_tone_is_loudest_in_the_band_it_lies_in(hz):
    samples = np.sin(2 * np.pi * hz * np.arange(RATE) / RATE).astype(np.float32)
    loudest = mel_energy(samples, RATE, n_mels=40).sum(axis=0).argmax()
    edges = band_edges(RATE, 40)
    assert edges[loudest] < hz < edges[loudest + 2]


@given(st.integers(1_000, 100_000), st.integers(1, 256))
def test_no_band_is_without_a_bin(rate, n_mels):
    assert (mel_filters(rate, n_mels).max(axis=1) > 0).all()


def test_filters_are_triangles_that_fill_the_middle():
    filters = mel_filters(RATE, 40)
    edges, bins = band_edges(RATE, 40), np.fft.rfftfreq(fft_size(RATE, 40), 1 / RATE)
    assert filters.shape == (40, len(bins)) and filters.min() == 0 and filters.max() <= 1
    inner = (bins >= edges[1]) & (bins <= edges[-2])
    assert filters[:, inner].sum(axis=0) == pytest.approx(1.0)  # neighbours share each tone


@pytest.mark.parametrize(("samples", "frames"), [(1, 1), (199, 1), (200, 1), (201, 2), (280, 2), (281, 3), (8000, 99)])
def test_a_frame_is_25_ms_every_10_ms_and_the_last_one_may_reach_past_the_end(samples, frames):
    assert n_frames(samples, RATE) == frames
    assert log_mel(noise(samples), RATE).shape == (frames, 40)


def test_a_frame_does_not_know_what_comes_after_it():
    samples = noise(2000)
    changed = samples.copy()
    changed[1000:] = changed[:999:-1]  # turned round: the level of the whole recording stays
    first = 1 + (1000 - 200) // 80
    ours, theirs = mel_energy(samples, RATE, n_mels=40), mel_energy(changed, RATE, n_mels=40)
    assert ours[:first] == pytest.approx(theirs[:first], rel=1e-3) and not np.allclose(ours[first:], theirs[first:])


@pytest.mark.parametrize("by_band", [False, True])
def test_neither_loudness_nor_level_matters(by_band):
    samples = noise(4000)
    plain = log_mel(samples, RATE, by_band=by_band)
    for changed in (samples * 0.001, samples * 50, samples + 3):
        assert log_mel(changed, RATE, by_band=by_band) == pytest.approx(plain, abs=1e-3)


def test_mean_and_variance_are_those_of_the_recording_or_of_each_band():
    whole, bands = log_mel(noise(4000), RATE), log_mel(noise(4000), RATE, by_band=True)
    assert [whole.mean(), whole.std()] == pytest.approx([0, 1], abs=1e-4)
    assert bands.mean(axis=0) == pytest.approx(0, abs=1e-4) and bands.std(axis=0) == pytest.approx(1, abs=1e-4)
    assert whole.std(axis=0) != pytest.approx(1, abs=0.05)


def test_silence_is_zeros_and_not_noise():
    for samples in (np.zeros(4000), np.full(4000, 0.25), np.zeros(1)):
        found = log_mel(samples.astype(np.float32), RATE)
        assert found.dtype == np.float32 and not found.any()


def test_what_is_far_softer_than_the_loudest_counts_as_silence():
    loud = np.sin(2 * np.pi * 1000 * np.arange(4000) / RATE).astype(np.float32)
    soft = np.concatenate([loud, np.zeros(4000, dtype=np.float32)])
    hiss = soft + 1e-9 * noise(8000)
    assert log_mel(hiss, RATE) == pytest.approx(log_mel(soft, RATE), abs=1e-3)


def test_a_long_sound_is_done_in_chunks_with_the_same_end(monkeypatch):
    samples = noise(8000)
    whole = log_mel(samples, RATE)
    monkeypatch.setattr(module, "CHUNK", 7)
    assert np.allclose(log_mel(samples, RATE), whole, atol=1e-6)
