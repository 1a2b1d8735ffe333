"""A spectrogram as a small PNG inside a picture: time to the right, tones upwards, loud is dark."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from heedful.inputs.audio.log_mel import mel, mel_energy
from heedful.inputs.audio.read import Sound

BANDS = 64
RANGE = 60.0  # decibels from the loudest down to paper
SHADES = 64  # different colours: the eye sees no more, and the file stays small
DARKEST = (22, 48, 74)
MOST_COLUMNS = 1_200
KILOHERTZ = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


def spectrogram(sound: Sound, *, n_mels: int = BANDS) -> NDArray[np.float64]:
    """Return loudness (mel, column) from 0 to 1, low tones first; of a long sound, the loudest in each column."""
    energy = mel_energy(sound.samples, sound.rate, n_mels=n_mels)  # (frame, mel)
    starts = np.unique(np.linspace(0, len(energy), min(len(energy), MOST_COLUMNS), endpoint=False).astype(int))
    columns = np.maximum.reduceat(energy, starts, axis=0)
    loudest = max(float(columns.max()), np.finfo(np.float64).tiny)
    decibels = 10.0 * np.log10(np.maximum(columns / loudest, 1e-30))
    return np.asarray(np.clip(1.0 + decibels / RANGE, 0.0, 1.0).T)


def image(values: NDArray[np.float64], x: float, y: float, width: float, height: float) -> str:
    """Return values (row, column) from 0 to 1 as an element of an SVG, the first row at the bottom."""
    inside = base64.b64encode(png_of(np.flipud(values))).decode("ascii")
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" preserveAspectRatio="none"'
    return f'<image {place} href="data:image/png;base64,{inside}"/>'


def png_of(values: NDArray[np.float64]) -> bytes:
    """Return values (row, column) from 0 to 1 as a PNG of indexed colours."""
    levels = np.round(values * (SHADES - 1)).astype(np.uint8)
    rows, columns = levels.shape
    lines = np.column_stack([np.zeros(rows, dtype=np.uint8), levels])  # each line begins with its filter: none
    shades = np.linspace(0.0, 1.0, SHADES)[:, None]
    palette = np.round(255 + (np.array(DARKEST) - 255) * shades).astype(np.uint8)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0)  # 8 bits, indexed
    parts = (
        (b"IHDR", header),
        (b"PLTE", palette.tobytes()),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def tone_marks(rate: int) -> list[tuple[str, float]]:
    """Return the tones to mark, and how high each stands in a spectrogram, from 0 to 1."""
    top = float(mel(rate / 2))
    return [(f"{k:g}", float(mel(k * 1000)) / top) for k in KILOHERTZ if k * 1000 < rate / 2]


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
