"""Hear which way a whistle goes, and see that the model listens to the whistle and not to the hum around it.

Sounds are made here, so nothing is needed but heedful[train,audio,picture]. Takes about 20 seconds on a laptop:

    python examples/sound.py [picture.png]
"""

from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

import heedful

RATE, SECONDS, WHISTLE = 8_000, 1.2, 0.25
GLIDES = {"up": (900, 1_800), "down": (1_800, 900), "flat": (1_300, 1_300)}  # hertz, from and to


def make_sound(label: str, start: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return hum and hiss with a whistle that begins at `start` seconds and glides as its label says."""
    times = np.arange(round(SECONDS * RATE)) / RATE
    hum = 0.15 * np.sin(2 * np.pi * rng.uniform(90, 250) * times)
    hiss = rng.normal(scale=0.01, size=len(times))
    along = np.arange(round(WHISTLE * RATE)) / RATE
    low, high = np.array(GLIDES[label]) * rng.uniform(0.8, 1.25)
    whistle = np.sin(2 * np.pi * (low + (high - low) / 2 * along / WHISTLE) * along) * np.hanning(len(along))
    sound = hum + hiss
    at = round(start * RATE)
    sound[at : at + len(whistle)] += 0.3 * whistle
    return np.asarray(sound, dtype=np.float32)


def write_sounds(folder: Path, *, n: int, seed: int) -> Path:
    """Write sounds and a table of them (path, label), and return the table."""
    rng = np.random.default_rng(seed)
    with (folder / "sounds.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["path", "label"])
        for i in range(n):
            label = sorted(GLIDES)[i % len(GLIDES)]
            sound = make_sound(label, rng.uniform(0.0, SECONDS - WHISTLE), rng)
            soundfile.write(folder / f"{i}.wav", sound, RATE)
            table.writerow([f"{i}.wav", label])
    return folder / "sounds.csv"


def main(folder: Path, picture: Path) -> None:
    """Make sounds, learn from them, and explain one that the model has never heard."""
    table = write_sounds(folder, n=300, seed=0)
    model = heedful.train(table, folder / "model", input="audio", encoder="cnn", units=32, n_hops=2, epochs=12)
    heedful.audit(model, table, n_texts=40)  # so that the picture says whether it may be believed
    model = heedful.load(folder / "model")

    start = 0.6
    soundfile.write(folder / "new.wav", make_sound("up", start, np.random.default_rng(7)), RATE)
    explanation = model.explain(str(folder / "new.wav"))
    explanation.to_png(picture, scale=1.5)

    seconds = np.array([float(word.text) for word in explanation.words])
    is_whistle = (seconds > start - 0.1) & (seconds < start + WHISTLE)
    print(f"answer: {explanation.label} ({explanation.probabilities[explanation.label]:.2f})")
    print(f"weight on the whistle: {explanation.overall[is_whistle].sum():.2f}, in {is_whistle.mean():.0%} of the time")
    print(f"picture: {picture}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        main(Path(made), Path(sys.argv[1] if len(sys.argv) > 1 else "sound.png"))
