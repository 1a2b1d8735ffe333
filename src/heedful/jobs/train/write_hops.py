"""Saving the hop atlas (what each hop reads) in the model's folder."""

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
from heedful.store.results.hops_file import has_atlas, write_atlas
from heedful.training.history import NoteEvent, Watcher, nobody

MOST_TEXTS = 500
CHECKING, MESSAGES = "the validation set", "the messages that come with heedful"


def keep_atlas(model: Model, atlas: HopAtlas, *, examples: bool = True) -> Path:
    """Write an atlas to the folder of its model; without `examples`, leave out excerpts of texts."""
    return write_atlas(model.path, atlas.to_dict(), model.fingerprint, examples=examples)


def keep_trained_hops(folder: Path, config: Config, valid: Sequence[Example], watcher: Watcher = nobody) -> None:
    """Save the atlas of a newly trained model, made on its validation set.

    Excerpts of the texts are left out, since nobody asked for them in the folder. An error here is only noted: the
    training has succeeded.
    """
    if not has_atlas(config):
        return
    try:
        model = load(folder, threads=config.train.threads or None)
        chosen = some_examples(valid, seed=config.train.seed)
        labels = [example.label for example in chosen] if model.answer and model.answer.has_one_label else None
        name = config.data.valid or CHECKING
        keep_atlas(model, hop_atlas(model, [e.text for e in chosen], labels, file=name), examples=False)
    except Exception as error:
        watcher(NoteEvent(f"the hop atlas could not be saved: {error}"))


def keep_message_hops(model: Model) -> Path:
    """Save the atlas of a bundled model, made on the bundled messages."""
    texts = [example.text for example in read_examples(messages_path("train"), label="topic")]
    return keep_atlas(model, hop_atlas(model, texts, file=MESSAGES))


def some_examples(examples: Sequence[Example], *, seed: int) -> list[Example]:
    """Return a random sample of at most MOST_TEXTS examples, in their order."""
    if len(examples) <= MOST_TEXTS:
        return list(examples)
    return [examples[i] for i in sorted(random.Random(seed).sample(range(len(examples)), MOST_TEXTS))]
