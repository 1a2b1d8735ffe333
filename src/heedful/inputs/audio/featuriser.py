"""Recordings as network inputs: log-mel frames, grouped into time segments for display."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import repeat

import numpy as np

from heedful.config import Config
from heedful.data.features import Item, Parts, parts_of_names
from heedful.data.input_spec import InputSpec
from heedful.errors import HeedfulError, ModelFolderError
from heedful.inputs.audio.log_mel import FRAME, STEP, log_mel, n_frames
from heedful.inputs.audio.read import FASTEST, SLOWEST, USUAL_RATE, Sound, Source, common_rate, resampled, sound_of

STRETCH = 0.1  # seconds per part of a heatmap
FEWEST = 8  # parts, unless the recording is too short
MOST_MELS = 256
KEPT = ("rate", "n_mels", "max_tokens", "stretch", "by_band")


class SoundFeaturiser:
    """Turns recordings into log-mel frames at one sample rate."""

    kind = "audio"

    def __init__(
        self,
        *,
        rate: int = USUAL_RATE,
        n_mels: int = 40,
        max_tokens: int = 1_000,
        stretch: float = STRETCH,
        by_band: bool = False,
    ) -> None:
        _check("rate", rate, SLOWEST, FASTEST)
        _check("n_mels", n_mels, 1, MOST_MELS)
        _check("max_tokens", max_tokens, 1, 1_000_000)
        _check("stretch", stretch, STEP, 600.0)
        self.rate, self.n_mels, self.max_tokens = int(rate), int(n_mels), int(max_tokens)
        self.stretch, self.by_band = float(stretch), bool(by_band)

    @property
    def width(self) -> int:
        """Width of a frame."""
        return self.n_mels

    @property
    def shape(self) -> InputSpec:
        """The network takes frames."""
        return InputSpec(width=self.width)

    @classmethod
    def learned(cls, sources: Sequence[Source], config: Config) -> SoundFeaturiser:
        """Return a featuriser at the configured sample rate, or at the lowest rate of the recordings."""
        rate = config.source.rate or common_rate(sources)
        return cls(rate=rate, n_mels=config.source.n_mels, max_tokens=config.text.max_tokens)

    def sound(self, source: Source) -> Sound:
        """Return one channel at the model's sample rate, truncated to slightly more than `max_tokens` frames."""
        source_sound = sound_of(source)
        enough = self._most_samples / self.rate + FRAME  # seconds: the resampling filter reaches past the end
        cut = Sound(source_sound.samples[: int(enough * source_sound.rate) + 1], source_sound.rate)
        return resampled(cut, self.rate)

    def features(self, source: Source) -> Item:
        """Return `vectors` (frame, n_mels) of a path or of (samples, rate), truncated to `max_tokens`."""
        samples = self.sound(source).samples[: self._most_samples]
        return Item({"vectors": log_mel(samples, self.rate, n_mels=self.n_mels, by_band=self.by_band)})

    def parts(self, source: Source) -> Parts:
        """Return time segments, named by their start in seconds."""
        frames = min(self.max_tokens, n_frames(len(self.sound(source).samples), self.rate))
        names, sizes = stretches(frames, self.stretch)
        return parts_of_names(names, sizes)

    def is_cut(self, source: Source) -> bool:
        """Return whether the recording is longer than `max_tokens` frames."""
        sound = sound_of(source)
        return n_frames(-(-len(sound.samples) * self.rate // sound.rate), self.rate) > self.max_tokens

    def to_json(self) -> str:
        """Return the settings as JSON."""
        return json.dumps({"kind": self.kind, **{name: getattr(self, name) for name in KEPT}})

    @classmethod
    def from_json(cls, text: str) -> SoundFeaturiser:
        """Read the output of `to_json`."""
        try:
            settings = json.loads(text)
            if settings.get("kind") == cls.kind:
                return cls(**{name: settings[name] for name in KEPT})
        except (ValueError, KeyError, AttributeError, RecursionError, HeedfulError) as error:
            raise ModelFolderError(f"input.json is not readable: {error}") from None
        raise ModelFolderError("input.json is not readable: expected kind audio")

    @property
    def _most_samples(self) -> int:
        return round(FRAME * self.rate) + (self.max_tokens - 1) * round(STEP * self.rate)


def stretches(frames: int, stretch: float = STRETCH) -> tuple[Sequence[str], Sequence[int]]:
    """Return the names of time segments ("0.0", "0.1", … seconds) and the number of frames in each.

    A short recording has shorter segments, so that there are several to compare.
    """
    frames_per_stretch = max(1, round(stretch / STEP))
    while frames < FEWEST * frames_per_stretch and frames_per_stretch > 2:
        frames_per_stretch //= 2
    count = -(-frames // frames_per_stretch)
    digits = 1 if frames_per_stretch % 10 == 0 else 2
    names = [f"{i * frames_per_stretch * STEP:.{digits}f}" for i in range(count)]
    return names, [*repeat(frames_per_stretch, count - 1), frames - frames_per_stretch * (count - 1)]


def _check(name: str, value: float, low: float, high: float) -> None:
    is_number = isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:
        raise HeedfulError(f"{name} is {value!r}, expected {low:,} to {high:,}")
