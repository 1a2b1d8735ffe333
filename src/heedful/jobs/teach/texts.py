"""The texts that a teacher labels: those of the training, texts without labels, and variations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from heedful.config import Config
from heedful.jobs.train.unlabelled import read_unlabelled
from heedful.text.variations import Variations
from heedful.training.dataset import TrainingData
from heedful.training.history import Watcher

AUTO = -1
ENOUGH, MOST_EACH = 60_000, 100  # texts in all that variations are added up to, and variations of one text


@dataclass(frozen=True)
class TextsToLabel:
    """Texts by their kind. All but those of the validation set are learned from."""

    valid: Sequence[str]
    train: Sequence[str]
    unlabelled: Sequence[str]
    variations: Sequence[str]
    each: int  # variations of a text, at most

    @property
    def more(self) -> list[str]:
        """The texts that have no label."""
        return [*self.unlabelled, *self.variations]

    @property
    def all(self) -> list[str]:
        """All texts, those of the validation set first, then those of the training."""
        return [*self.valid, *self.train, *self.more]

    @property
    def facts(self) -> dict[str, Any]:
        """Facts about the texts, for facts.json."""
        return {"unlabelled_texts": len(self.unlabelled), "variations": len(self.variations)}

    def __len__(self) -> int:
        return len(self.valid) + len(self.train) + len(self.unlabelled) + len(self.variations)

    def __str__(self) -> str:
        kinds = {"of the training set": self.train, "unlabelled": self.unlabelled, "variations": self.variations}
        parts = [f"{len(texts):,} {kind}" for kind, texts in kinds.items() if texts]
        return f"{len(self):,} texts ({', '.join(parts)}, {len(self.valid):,} for validation)"


def texts_to_label(config: Config, material: TrainingData, watcher: Watcher) -> TextsToLabel:
    """Read the unlabelled texts, and make variations of the training texts."""
    train, valid = ([example.text for example in side] for side in (material.train, material.valid))
    known = {*train, *valid}
    unlabelled = [text for text in read_unlabelled(config, watcher, fewest=1) if text not in known]
    each = variations_of_each(config, len(train), len(unlabelled))
    variations = list(Variations(train, seed=config.train.seed).new(each, without=known))
    return TextsToLabel(valid, train, unlabelled, variations, each)


def variations_of_each(config: Config, n_train: int, n_unlabelled: int) -> int:
    """Return how many variations of each training text are made."""
    if config.encode.variations != AUTO:
        return config.encode.variations
    return max(0, min(MOST_EACH, (ENOUGH - n_train - n_unlabelled) // n_train))
