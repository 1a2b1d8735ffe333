"""Audio files (wav, flac, ogg) to one channel of samples, and resampling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heedful.errors import DataError, HeedfulError, NoSuchFile, need

Samples = NDArray[np.float32]
ENDINGS = (".wav", ".flac", ".ogg", ".oga")
MOST_SECONDS = 600.0
MOST_SAMPLES = 30_000_000  # 10 minutes at 48 kHz
SLOWEST, FASTEST = 1_000, 384_000  # samples in a second that a sound can have
USUAL_RATE = 16_000  # speech has little above half of it
BLOCK = 1 << 18  # numbers read at a time, over all channels


@dataclass(frozen=True)
class Sound:
    """One channel of a recording."""

    samples: Samples  # (sample,), usually from -1 to 1
    rate: int  # samples per second

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return len(self.samples) / self.rate


Source = str | Path | Sound | tuple[Any, int]  # accepted forms of a recording


def is_sound(source: Any) -> bool:
    """Return whether this is a recording in memory: a Sound, or samples and their rate."""
    is_pair = isinstance(source, tuple) and len(source) == 2
    return isinstance(source, Sound) or (is_pair and isinstance(source[1], (int, np.integer)))


def sound_of(source: Source) -> Sound:
    """Return the recording at a path, or of samples (sample,) or (sample, channel) and their rate."""
    match source:
        case Sound(samples, rate):
            return _checked("audio", samples, rate)
        case (samples, rate):
            return _checked("audio", np.asarray(samples), rate)
        case str() | Path():
            return read_sound(source)
    raise HeedfulError(f"found {type(source).__name__} {source!r:.60}, expected a path or (samples, rate)")


def read_sound(path: str | Path) -> Sound:
    """Read a file; several channels are averaged."""
    with _opened(path) as file:
        rate, frames = int(file.samplerate), int(file.frames)
        _check_size(path, frames, rate)
        samples = np.zeros(frames, dtype=np.float32)
        at = 0
        try:
            for block in file.blocks(max(1, BLOCK // file.channels), dtype="float32", always_2d=True):
                block = block[: frames - at]
                samples[at : at + len(block)] = block.mean(axis=1)
                at += len(block)
        except (RuntimeError, OSError) as error:
            raise DataError(path, f"damaged at sample {at:,} of {frames:,}: {error}") from None
    return _checked(path, samples[:at], rate)


def rate_of(source: Source) -> int:
    """Return the sample rate; of a file, without reading the samples."""
    if not isinstance(source, (str, Path)):
        return sound_of(source).rate
    with _opened(source) as file:
        return int(file.samplerate)


def common_rate(sources: Iterable[Source]) -> int:
    """Return the sample rate for a model of these recordings: the lowest of all, at most USUAL_RATE.

    Upsampling adds no information, and a band that is empty in some files only would tell the model which microphone
    was used.
    """
    return max(SLOWEST, min([USUAL_RATE, *_rates(sources)]))


def _rates(sources: Iterable[Source]) -> Iterator[int]:
    for source in sources:
        with suppress(DataError):  # unreadable files are reported when their samples are read
            yield rate_of(source)


def resampled(sound: Sound, rate: int) -> Sound:
    """Return the sound at another rate, without the frequencies above half of that rate."""
    if rate == sound.rate:
        return sound
    if not SLOWEST <= rate <= FASTEST:
        raise HeedfulError(
            f"a rate of {rate} is asked for, a sound has from {SLOWEST:,} to {FASTEST:,} samples a second"
        )
    soxr = need("soxr", feature="Resampling sound", extra="audio")
    n_samples = -(-len(sound.samples) * rate // sound.rate)
    padded = np.pad(sound.samples, (0, 1 + sound.rate // rate))  # soxr rounds the length down
    samples = soxr.resample(padded, sound.rate, rate)[:n_samples]
    return Sound(np.ascontiguousarray(samples, dtype=np.float32), rate)


def _opened(path: str | Path) -> Any:
    soundfile = need("soundfile", feature="Reading audio", extra="audio")
    file = Path(path)
    if not file.exists():
        raise NoSuchFile(path)
    if not file.is_file():
        raise DataError(path, "not a file")
    if file.suffix.lower() not in ENDINGS:
        raise DataError(path, f"the file name ends in {file.suffix!r}, expected one of {', '.join(ENDINGS)}")
    try:
        return soundfile.SoundFile(file)
    except (RuntimeError, OSError) as error:
        raise DataError(path, f"not an audio file, or damaged: {getattr(error, 'error_string', error)}") from None


def _check_size(path: object, frames: int, rate: int) -> None:
    """Raise if a recording is empty, too long or has an invalid rate."""
    if not SLOWEST <= rate <= FASTEST:
        raise DataError(
            str(path), f"the sample rate is {rate:,}, expected {SLOWEST:,} to {FASTEST:,} samples per second"
        )
    if frames <= 0:
        raise DataError(str(path), "the recording has no samples")
    if frames > MOST_SECONDS * rate:
        raise DataError(
            str(path), f"the recording is {frames / rate:,.0f} seconds long, expected at most {MOST_SECONDS:,.0f}"
        )
    if frames > MOST_SAMPLES:
        raise DataError(str(path), f"the recording has {frames:,} samples, expected at most {MOST_SAMPLES:,}")


def _checked(path: object, samples: NDArray[Any], rate: int) -> Sound:
    """Return a recording after checking its samples and rate."""
    if samples.ndim not in (1, 2) or samples.dtype.kind != "f":
        description = f"an array of {samples.dtype} with shape {samples.shape}"
        raise DataError(str(path), f"found {description}, expected floats (sample,) or (sample, channel)")
    if not isinstance(rate, (int, np.integer)):
        raise DataError(str(path), f"the sample rate is {rate!r}, expected an integer")
    _check_size(path, len(samples), int(rate))
    mono = samples if samples.ndim == 1 else samples.mean(axis=1)
    if not np.isfinite(mono).all():
        at = int(np.flatnonzero(~np.isfinite(mono))[0])
        raise DataError(str(path), f"sample {at:,} is {mono[at]}, expected a finite number")
    return Sound(np.ascontiguousarray(mono, dtype=np.float32), int(rate))
