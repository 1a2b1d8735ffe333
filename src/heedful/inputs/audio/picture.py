"""A sound as a picture: where the model looked, over the wave and its tones, and what each stretch of time does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Explanation
from heedful.inputs.audio.log_mel import FRAME
from heedful.inputs.audio.read import USUAL_RATE, Sound, Source, resampled, sound_of
from heedful.inputs.audio.spectrogram import image, spectrogram, tone_marks
from heedful.show.heatmaps.description import description
from heedful.show.heatmaps.picture import CALM, DOUBT, MARGIN, MOST_WIDE, NARROWEST, Drawer
from heedful.show.heatmaps.units import UNITS, in_units
from heedful.show.heatmaps.view import ATTENTION_ONLY, HeatmapView, Row, view
from heedful.show.kit.svg import svg
from heedful.show.kit.svg.shades import FAINT
from heedful.show.kit.text.numbers import number

ACCOUNT = (
    "Attention is where the model looked: it has no sign and belongs to no label. Effects have both: a blue bar goes "
    "up and speaks for the label that is named, an orange one goes down and speaks against it."
)
GUTTER = 34  # room for the names of tones
WAVE, TONES, BARS, GAP = 84, 120, 72, 10  # heights
MOST_BOXES = 300  # of a long sound, neighbouring stretches share a box
STRONG = "#6d2fb0"  # the line of the weights


@dataclass(frozen=True)
class Axis:
    """From seconds to places in the picture."""

    left: float
    right: float
    seconds: float  # at the right end

    def at(self, second: float) -> float:
        """Return where a time lies; what is later than the end lies at the end."""
        return self.left + min(1.0, second / self.seconds) * (self.right - self.left)

    @property
    def marks(self) -> list[float]:
        """Round numbers of seconds, about ten."""
        power = 10.0 ** np.floor(np.log10(self.seconds / 5))
        step = next(s * power for s in (1, 2, 5, 10) if self.seconds / (s * power) <= 10)
        return [float(mark) for mark in np.arange(0, self.seconds + step * 1e-6, step)]


def picture_of(explanation: Explanation, *, width: int = 760) -> str:
    """Return the picture of a sound that was explained."""
    return sound_picture(view(explanation), explanation.source, width=width)


def sound_picture(drawn: HeatmapView, source: Source, *, width: int = 760) -> str:
    """Return a picture of a view whose words are stretches of time, named by the second at which they begin."""
    if not NARROWEST <= width <= MOST_WIDE:
        raise HeedfulError(f"width is {width}, a picture is from {NARROWEST} to {MOST_WIDE} wide")
    whole = sound_of(source)
    stretch = _stretch(drawn, whole)
    sound = Sound(whole.samples[: int(np.ceil(len(drawn.words) * stretch * whole.rate))], whole.rate)  # what was read
    drawer = _SoundDrawer(width, sound, stretch)
    drawer.heading(drawn)
    for line in drawn.remarks:
        drawer.note(line, DOUBT)
    for line in (_about(source, whole, sound), *drawn.notes):
        drawer.soft(line)
    for row in drawn.rows[:2]:
        drawer.caption(replace(row, about=in_units(row.about, UNITS["audio"])))
        drawer.panel(row, has_wave=row is drawn.rows[0])
    if drawn.verdict:
        drawer.note(drawn.verdict.replace("`", "'"), DOUBT if drawn.is_doubtful else CALM)
    drawer.soft(drawn.account or (ACCOUNT if drawn.has_effects else ATTENTION_ONLY))
    title = f"{drawn.title} {drawn.value}".strip() or drawn.rows[0].name
    body = "\n".join(drawer.drawn)
    return svg.drawing(width, drawer.y + MARGIN, title=title, about=description(drawn, measure=" s"), body=body)


class _SoundDrawer(Drawer):
    """Draws panels that share one axis of time."""

    def __init__(self, width: int, sound: Sound, stretch: float) -> None:
        super().__init__(width)
        self.sound, self.stretch = sound, stretch
        self.axis = Axis(MARGIN + GUTTER, width - MARGIN, sound.seconds)

    def panel(self, row: Row, *, has_wave: bool) -> None:
        """Draw a row: over the wave, if it has one, and below that weights over the tones, or bars of both signs."""
        self.y += 6
        spans = self._spans(row.shades)
        if has_wave:
            self.drawn += [self._ground(*span, row.is_signed) for span in spans if abs(span[2]) >= FAINT]
            self.drawn.append(wave(self.sound.samples, self.axis, self.y, WAVE))
            self.y += WAVE + GAP
        if row.is_signed:
            self._bars(row, spans)
        else:
            self._weights(spans)
        self._times()

    def _weights(self, spans: list[tuple[float, float, float]]) -> None:
        """Draw the weights over the tones."""
        tones = min(USUAL_RATE, self.sound.rate)
        values = spectrogram(resampled(self.sound, tones))
        self.drawn.append(image(values, self.axis.left, self.y, self.axis.right - self.axis.left, TONES))
        self._tones(tones)
        self._curve(spans)
        self.y += TONES

    def _bars(self, row: Row, spans: list[tuple[float, float, float]]) -> None:
        """Draw a bar for each stretch: up for the label, down against it."""
        middle = self.y + BARS / 2
        for start, end, shade in spans:
            high = abs(shade) * BARS / 2
            x, wide = self.axis.at(start) + 0.5, max(0.6, self.axis.at(end) - self.axis.at(start) - 1)
            colour = svg.shade_colour(np.sign(shade), is_signed=True)
            self.drawn.append(svg.box(x, middle - high * (shade > 0), wide, high, colour, round_by=0))
        self._line(self.axis.left, middle, self.axis.right)
        strongest = float(np.abs(row.values).max(initial=0.0)) / max(float(np.abs(row.shades).max(initial=0.0)), 1e-12)
        for value, y in ((strongest, self.y + 9), (0.0, middle + 4), (-strongest, self.y + BARS)):
            self._beside(number(value, digits=2, plus=True).replace("−", "–"), y)  # not every font has a minus
        self.y += BARS

    def _spans(self, shades: NDArray[np.float32]) -> list[tuple[float, float, float]]:
        """Return from when to when, and how strong: of a long sound, the strongest of neighbours."""
        per = -(-len(shades) // MOST_BOXES) or 1
        groups = [shades[i : i + per] for i in range(0, len(shades), per)]
        strongest = [float(group[np.abs(group).argmax()]) for group in groups]
        return [(i * per * self.stretch, (i + 1) * per * self.stretch, shade) for i, shade in enumerate(strongest)]

    def _ground(self, start: float, end: float, shade: float, is_signed: bool) -> str:
        colour = svg.shade_colour(shade, is_signed=is_signed)
        x, wide = self.axis.at(start), self.axis.at(end) - self.axis.at(start)
        edge = svg.box(x, self.y + WAVE - 2, wide, 2, svg.EDGE, round_by=0) if shade < 0 else ""
        return svg.box(x, self.y, wide, WAVE, colour, round_by=0) + edge

    def _curve(self, spans: list[tuple[float, float, float]]) -> None:
        heights = [self.y + TONES - 2 - min(1.0, shade) * (TONES - 8) for *_, shade in spans]
        steps = "".join(f"V{y:.1f}H{self.axis.at(end):.1f}" for y, (_, end, _) in zip(heights, spans, strict=True))
        line = f'd="M{self.axis.left:.1f} {heights[0]:.1f}{steps}" fill="none" stroke-linejoin="round"'
        self.drawn.append(f'<path {line} stroke="{svg.PAPER}" stroke-width="5" stroke-opacity="0.8"/>')
        self.drawn.append(f'<path {line} stroke="{STRONG}" stroke-width="2"/>')

    def _tones(self, rate: int) -> None:
        left, right = self.axis.left, self.axis.right
        frame = f'x="{left:.1f}" y="{self.y:.1f}" width="{right - left:.1f}" height="{TONES}"'
        self.drawn.append(f'<rect {frame} fill="none" stroke="{svg.LINE}"/>')
        for name, high in tone_marks(rate):
            self._beside(name, self.y + (1 - high) * TONES + 4)
        self._beside("kHz", self.y + 4)

    def _times(self) -> None:
        self._line(self.axis.left, self.y, self.axis.right)
        marks = self.axis.marks
        digits = max(0, -int(np.floor(np.log10(marks[1] - marks[0]) + 1e-9))) if len(marks) > 1 else 0
        for mark in marks:
            x = self.axis.at(mark)
            self.drawn.append(f'<path d="M{x:.1f} {self.y:.1f}v4" stroke="{svg.SOFT}"/>')
            more = f'text-anchor="{"middle" if x < self.axis.right - 10 else "end"}" fill="{svg.SOFT}"'
            label = f"{mark:.{digits}f}" + (" s" if mark == marks[0] else "")
            self.drawn.append(svg.text(label, x, self.y + 16, size=11, more=more))
        self.y += 20

    def _line(self, left: float, y: float, right: float) -> None:
        self.drawn.append(f'<path d="M{left:.1f} {y:.1f}H{right:.1f}" stroke="{svg.SOFT}" stroke-width="0.8"/>')

    def _beside(self, label: str, y: float) -> None:
        more = f'text-anchor="end" fill="{svg.SOFT}"'
        self.drawn.append(svg.text(label, self.axis.left - 5, y, size=11, more=more))


def wave(samples: NDArray[np.float32], axis: Axis, top: float, height: float) -> str:
    """Return the lowest and the highest sample of each column as one shape."""
    columns = min(len(samples), int(axis.right - axis.left))
    starts = np.linspace(0, len(samples), columns, endpoint=False).astype(int)
    scale = height / 2 / max(float(np.abs(samples).max()), 1e-9) * 0.96
    x = np.linspace(axis.left, axis.right, columns)
    high = top + height / 2 - np.maximum.reduceat(samples, starts) * scale - 0.4
    low = top + height / 2 - np.minimum.reduceat(samples, starts) * scale + 0.4
    there = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, high, strict=True))
    back = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x[::-1], low[::-1], strict=True))
    return f'<path d="M{there} {back}Z" fill="{svg.INK}" fill-opacity="0.7"/>'


def _stretch(drawn: HeatmapView, sound: Sound) -> float:
    """Return how many seconds a stretch has, by the names of the first two; one alone is all there is."""
    try:
        starts = [float(word.text) for word in drawn.words[:2]]
    except ValueError:
        names = ", ".join(repr(word.text) for word in drawn.words[:2])
        raise HeedfulError(f"found parts {names}, expected the seconds at which stretches of a sound begin") from None
    return starts[1] - starts[0] if len(starts) == 2 else sound.seconds


def _about(source: Source, whole: Sound, read: Sound) -> str:
    name = f"{Path(source).name}, " if isinstance(source, (str, Path)) else ""
    cut = f", of which the first {read.seconds:.1f} were read" if whole.seconds - read.seconds > FRAME else ""
    return f"{name}{whole.seconds:.2f} seconds{cut}"
