"""Log-mel spectrograms: the energy of each mel band, 100 frames per second."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from heedful.inputs.audio.read import Samples

FRAME, STEP = 0.025, 0.010  # seconds: length of a frame, and distance between frames
SOFTEST = 1e-8  # energy floor relative to the loudest band (80 dB below it)
EVEN = 1e-5  # standard deviation below which a recording is silence
CHUNK = 2_000  # frames whose spectra are in memory at the same time


def n_frames(n_samples: int, rate: int) -> int:
    """Return the number of frames, at least one; the last may extend past the end."""
    frame_size, step = _sizes(rate)
    return 1 + max(0, -(-(n_samples - frame_size) // step))


def log_mel(samples: Samples, rate: int, *, n_mels: int = 40, by_band: bool = False) -> NDArray[np.float32]:
    """Return the log energy of the bands (frame, mel), normalised so that loudness does not matter.

    The result has mean 0 and variance 1, over the whole recording or (`by_band`) in each band.
    """
    energy = mel_energy(samples, rate, n_mels=n_mels)
    floor = max(float(energy.max()) * SOFTEST, np.finfo(np.float64).tiny)
    return _scaled(np.log(np.maximum(energy, floor)), axis=0 if by_band else None)


def mel_energy(samples: Samples, rate: int, *, n_mels: int) -> NDArray[np.float64]:
    """Return the energy of each mel band (frame, mel)."""
    frame_size, step = _sizes(rate)
    count = n_frames(len(samples), rate)
    centred = samples - samples.mean()  # remove the DC offset
    padded = np.pad(centred, (0, (count - 1) * step + frame_size - len(samples)))
    frames = np.lib.stride_tricks.sliding_window_view(padded, frame_size)[::step]  # (frame, sample)
    filters, size = mel_filters(rate, n_mels), fft_size(rate, n_mels)
    window = np.hanning(frame_size + 1)[:-1]
    chunks = [frames[start : start + CHUNK] * window for start in range(0, count, CHUNK)]
    return np.concatenate([np.abs(np.fft.rfft(chunk, size)) ** 2 @ filters.T for chunk in chunks])


def mel(hertz: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Convert hertz to mel: 2595 log10(1 + f / 700) (O'Shaughnessy, HTK)."""
    return np.asarray(2595.0 * np.log10(1.0 + np.asarray(hertz) / 700.0))


def hertz(mels: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Convert mel to hertz, the inverse of `mel`."""
    return np.asarray(700.0 * (10.0 ** (np.asarray(mels) / 2595.0) - 1.0))


def band_edges(rate: int, n_mels: int) -> NDArray[np.float64]:
    """Return hertz (n_mels + 2,): band i rises from edge i to edge i + 1 and falls to edge i + 2."""
    return hertz(np.linspace(0.0, float(mel(rate / 2)), n_mels + 2))


def fft_size(rate: int, n_mels: int) -> int:
    """Return a power of 2 that holds a frame and gives the narrowest band at least one bin."""
    narrowest = float(band_edges(rate, n_mels)[1])
    return 1 << int(np.ceil(np.log2(max(_sizes(rate)[0], rate / narrowest))))


@lru_cache(maxsize=8)
def mel_filters(rate: int, n_mels: int) -> NDArray[np.float64]:
    """Return triangular filters (mel, bin), each 1 at its centre and 0 at its neighbours' centres."""
    edges = band_edges(rate, n_mels)
    bins = np.fft.rfftfreq(fft_size(rate, n_mels), 1.0 / rate)
    rise = (bins - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    fall = (edges[2:, None] - bins) / (edges[2:] - edges[1:-1])[:, None]
    return np.asarray(np.maximum(0.0, np.minimum(rise, fall)))


def _sizes(rate: int) -> tuple[int, int]:
    """Return the frame length and the hop length in samples."""
    return max(1, round(FRAME * rate)), max(1, round(STEP * rate))


def _scaled(values: NDArray[np.float64], *, axis: int | None) -> NDArray[np.float32]:
    centred = values - values.mean(axis=axis, keepdims=True)
    spread = centred.std(axis=axis, keepdims=True)
    return np.asarray(np.where(spread < EVEN, 0.0, centred / np.maximum(spread, EVEN)), dtype=np.float32)
