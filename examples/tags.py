"""Is Paris a person or a place? Self-made lists, and a picture of the words that decide.

    python examples/tags.py [picture.png]       (some 20 seconds)

People and places have the same names here, and only the word before the list tells which they are: guests, stops. The
encoder is static, it gives words no context, so each name has to look at that word, and the CRF says where a name of
two words begins. A model may find that one kind of list is enough to look for: what is not a stop is a guest. Needs
heedful[train,picture].
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

import heedful
from heedful.tasks.tag.model import Tagger

NAMES = ("Paris", "Florence", "Washington", "Lincoln", "Sydney", "Austin", "Jordan", "Chelsea", "Adelaide", "Victoria")
HEADS = {"person": ("guests", "authors", "players", "singers"), "place": ("stops", "towns", "stations", "ports")}
STARTS = (("Our",), ("All", "the"), ("These", "are", "our"), ("Here", "are", "the"))


def tagged(draw: random.Random) -> list[tuple[str, str]]:
    """Return a list of people, or of places: each word with its tag."""
    kind = draw.choice(list(HEADS))
    words = [(word, "O") for word in (*draw.choice(STARTS), draw.choice(HEADS[kind]), ":")]
    for i in range(n := draw.randint(1, 5)):
        words += [] if i == 0 else [("and" if i == n - 1 else ",", "O")]
        name = [draw.choice(NAMES) for _ in range(draw.choice((1, 1, 2)))]
        words += [(name[0], f"B-{kind}"), *((more, f"I-{kind}") for more in name[1:])]
    return [*words, (".", "O")]


def main() -> None:
    """Train, print what a tagger says, and draw the contributions to each tag."""
    draw = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "lists.tsv"
        sentences = ("\n".join(f"{word}\t{tag}" for word, tag in tagged(draw)) for _ in range(1_000))
        data.write_text("token\ttag\n\n" + "\n\n".join(sentences) + "\n", encoding="utf-8")
        model = heedful.train(
            data, Path(folder) / "model", task="tag", crf=True, encoder="static", embed_width=32, letters=8,
            dropout=0.1, epochs=8, lr=1e-2,
        )  # fmt: skip
        assert isinstance(model, Tagger)
        text = "Here are the stops: Paris Lincoln, Jordan and Sydney."
        print(model.explain(text.replace("stops", "guests")), end="\n\n")
        explanation = model.explain(text)
        print(explanation, end="\n\n")
        print(model.explain(text, word=9))  # what Jordan's tag depends on
        explanation.to_png(sys.argv[1] if len(sys.argv) > 1 else "tags.png")


if __name__ == "__main__":
    main()
