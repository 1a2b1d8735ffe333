"""Numbers from one language into another that says them from the last to the first, and where the model looked.

    python examples/translate.py [picture.png]       (some 20 seconds)

The texts are made by this file, so the right alignment is known: the first word of a translation belongs to the last of
the text. Needs heedful[train,picture].
"""

from __future__ import annotations

import csv
import random
import sys
import tempfile
from pathlib import Path

import heedful

ENGLISH = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
GERMAN = ["null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]


def translations(n: int, seed: int = 0) -> list[tuple[str, str]]:
    """Return texts, each with its translation."""
    draw = random.Random(seed)
    found = []
    for _ in range(n):
        digits = [draw.randrange(10) for _ in range(draw.randint(1, 6))]
        found.append((" ".join(ENGLISH[i] for i in digits), " ".join(GERMAN[i] for i in reversed(digits)) + "."))
    return found


def main() -> None:
    """Train, translate what is new, and draw where each word looked."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "numbers.csv"
        with data.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("english", "german"), *translations(2_000)])
        model = heedful.train(
            data, Path(folder) / "model", task="translate", text="english", label="german", vocab_size=100,
            embed_width=32, units=32, decoder_units=64, dropout=0.1, lr=0.005, batch_size=32, epochs=12,
        )  # fmt: skip
        new = translations(200, seed=1)
        right = sum(said == truth for said, (_, truth) in zip(model.predict([t for t, _ in new]), new, strict=True))
        print(f"{right} of {len(new)} new texts are translated without a fault.\n")
        alignment = model.explain("two nine one five")
        print(alignment)
        alignment.to_png(sys.argv[1] if len(sys.argv) > 1 else "alignment.png")


if __name__ == "__main__":
    main()
