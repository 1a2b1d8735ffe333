"""Sounds as a network takes them: frames of log-mel bands, and stretches of time for people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import repeat

import numpy as np

from heedful.config import Config
from heedful.data.features import Item, Parts, parts_of_names
from heedful.data.input_spec import InputShape
from heedful.errors import HeedfulError, ModelFolderError
from heedful.inputs.audio.log_mel import FRAME, STEP, log_mel, n_frames
from heedful.inputs.audio.read import FASTEST, SLOWEST, USUAL_RATE, Sound, Source, common_rate, resampled, sound_of

STRETCH = 0.1  # seconds in each part of a heatmap
FEWEST = 8  # parts, if the sound is not too short for that
MOST_MELS = 256
KEPT = ("rate", "n_mels", "max_tokens", "stretch", "by_band")


class SoundFeaturiser:
    """Recordings, as log-mel frames at one rate."""

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
        """How many numbers a frame has."""
        return self.n_mels

    @property
    def shape(self) -> InputShape:
        """Frames come in."""
        return InputShape(width=self.width)

    @classmethod
    def learned(cls, sources: Sequence[Source], config: Config) -> SoundFeaturiser:
        """Return one that fits these sounds: at the rate asked for, or at the lowest that they have."""
        rate = config.source.rate or common_rate(sources)
        return cls(rate=rate, n_mels=config.source.n_mels, max_tokens=config.text.max_tokens)

    def sound(self, source: Source) -> Sound:
        """Return what the model hears: one channel at its rate, of at most `max_tokens` frames."""
        source_sound = sound_of(source)
        enough = self._most_samples / self.rate + FRAME  # seconds: the filter of the new rate reaches past the end
        cut = Sound(source_sound.samples[: int(enough * source_sound.rate) + 1], source_sound.rate)
        return resampled(cut, self.rate)

    def features(self, source: Source) -> Item:
        """Return `vectors` (frame, n_mels) of a path, or of (samples, rate); cut at `max_tokens`."""
        samples = self.sound(source).samples[: self._most_samples]
        return Item({"vectors": log_mel(samples, self.rate, n_mels=self.n_mels, by_band=self.by_band)})

    def parts(self, source: Source) -> Parts:
        """Return stretches of time, named by the second at which they begin."""
        frames = min(self.max_tokens, n_frames(len(self.sound(source).samples), self.rate))
        names, sizes = stretches(frames, self.stretch)
        return parts_of_names(names, sizes)

    def is_cut(self, source: Source) -> bool:
        """Return whether the sound is longer than what is read of it."""
        sound = sound_of(source)
        return n_frames(-(-len(sound.samples) * self.rate // sound.rate), self.rate) > self.max_tokens

    def to_json(self) -> str:
        """Return all that must be remembered."""
        return json.dumps({"kind": self.kind, **{name: getattr(self, name) for name in KEPT}})

    @classmethod
    def from_json(cls, text: str) -> SoundFeaturiser:
        """Read what `to_json` wrote."""
        try:
            settings = json.loads(text)
            if settings.get("kind") == cls.kind:
                return cls(**{name: settings[name] for name in KEPT})
        except (ValueError, KeyError, AttributeError, RecursionError, HeedfulError) as error:
            raise ModelFolderError(f"the input of the model is not readable: {error}") from None
        raise ModelFolderError("the input of the model is not readable: expected kind audio")

    @property
    def _most_samples(self) -> int:
        return round(FRAME * self.rate) + (self.max_tokens - 1) * round(STEP * self.rate)


def stretches(frames: int, stretch: float = STRETCH) -> tuple[Sequence[str], Sequence[int]]:
    """Return the names of stretches of time ("0.0", "0.1", … seconds), and how many frames begin in each.

    Of a short sound they are shorter, so that there are several to compare.
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
