"""Saving the words that drive each label in the folder of a newly trained model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heedful.config import Config
from heedful.data.example import Example
from heedful.explain.words.label_words import LabelWords
from heedful.explain.words.statistics import MIN_COUNT, has_words, label_words
from heedful.inputs import INPUTS
from heedful.jobs.train.write_hops import CHECKING, some_examples
from heedful.runtime.model import Model, load
from heedful.store.cards.words_section import with_words
from heedful.store.contained_files import read_file, write_file
from heedful.store.folder import CARD
from heedful.store.results.words_file import write_words
from heedful.store.results.words_form import MOST_LABELS, MOST_WORDS
from heedful.training.history import NoteEvent, Watcher, nobody


def keep_words(model: Model, words: LabelWords) -> Path:
    """Write the words of each label to the folder of their model, and to its card.

    The fingerprint of a model covers neither file.
    """
    tree = words.to_dict()
    path = write_words(model.path, tree, model.fingerprint)
    card = read_file(model.path, CARD).decode("utf-8")
    write_file(model.path, CARD, with_words(card, tree))
    return path


def keep_trained_words(folder: Path, config: Config, valid: Sequence[Example], watcher: Watcher = nobody) -> None:
    """Save the words that drive each label, counted on the validation set.

    Nobody asked for texts in the folder: there are no excerpts, and only words and phrases of several texts. An error
    here is only noted: the training has succeeded.
    """
    if not INPUTS[config.input].is_text:
        return
    try:
        model = load(folder, threads=config.train.threads or None)
        if not has_words(model):
            return
        texts = [example.text for example in some_examples(valid, seed=config.train.seed)]
        words = label_words(
            model,
            texts,
            top=MOST_WORDS,
            most_labels=MOST_LABELS,
            min_count=MIN_COUNT,
            examples=False,
            name=Path(config.data.valid or CHECKING).name,
        )
        if any(part.supporting or part.opposing for part in words.labels):
            keep_words(model, words)
    except Exception as error:
        watcher(NoteEvent(f"the words that drive each label could not be saved: {error}"))
