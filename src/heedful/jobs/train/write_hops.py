"""What each hop reads, kept in the model's folder."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from heedful.config import Config
from heedful.data.example import Example
from heedful.data.read import read_examples
from heedful.data.samples.customer_messages import messages_path
from heedful.explain.hops.atlas import HopAtlas
from heedful.explain.hops.statistics import hop_atlas
from heedful.runtime.model import Model, load
from heedful.store.hops_file import has_atlas, write_atlas
from heedful.training.history import NoteEvent, Watcher, nobody

MOST_TEXTS = 500
CHECKING, MESSAGES = "the texts kept for checking", "the messages that come with heedful"


def keep_atlas(model: Model, atlas: HopAtlas, *, examples: bool = True) -> Path:
    """Write an atlas into the folder of its model; without `examples`, no stretch of a text."""
    return write_atlas(model.path, atlas.to_dict(), model.fingerprint, examples=examples)


def keep_trained_hops(folder: Path, config: Config, valid: Sequence[Example], watcher: Watcher = nobody) -> None:
    """Keep what the hops of a model that was just trained read in the texts kept for checking.

    Only words are kept: nobody asked for stretches of these texts in the folder. Whatever goes wrong here, the
    training went well.
    """
    if not has_atlas(config):
        return
    try:
        model = load(folder, threads=config.train.threads or None)
        chosen = _some(valid, seed=config.train.seed)
        labels = [example.label for example in chosen] if model.answer and model.answer.has_one_label else None
        name = config.data.valid or CHECKING
        keep_atlas(model, hop_atlas(model, [e.text for e in chosen], labels, file=name), examples=False)
    except Exception as error:
        watcher(NoteEvent(f"what the hops read could not be kept: {error}"))


def keep_message_hops(model: Model) -> Path:
    """Keep what a model's hops read in the messages that come with the package: for the models that do so too."""
    texts = [example.text for example in read_examples(messages_path("train"), label="topic")]
    return keep_atlas(model, hop_atlas(model, texts, file=MESSAGES))


def _some(examples: Sequence[Example], *, seed: int) -> list[Example]:
    """Return at most MOST_TEXTS of the examples, by chance, in their order."""
    if len(examples) <= MOST_TEXTS:
        return list(examples)
    return [examples[i] for i in sorted(random.Random(seed).sample(range(len(examples)), MOST_TEXTS))]
