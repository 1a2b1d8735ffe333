"""From examples to features: the featuriser, the features of each side, and facts about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray

from heedful.config import Config
from heedful.data.example import Example, texts_in
from heedful.data.features import Features, Item
from heedful.data.featuriser import Featuriser, featuriser_class
from heedful.errors import DataError
from heedful.inputs import INPUTS
from heedful.lazy import imported
from heedful.network.fronts.embed import Scaled
from heedful.tasks import task_of
from heedful.training.dataset import Sides, TrainingData, features_at
from heedful.training.start.vocab import StartVectors, make_featuriser

COUNTED = 4  # times the vocab size: number of words that are counted in a stream


def learned_featuriser(config: Config, material: TrainingData) -> tuple[Featuriser, StartVectors | None]:
    """Return a featuriser that fits the training inputs, and vectors that its tokens start with.

    Subwords are learned from the examples in memory, since learning them from a stream would need all its texts.
    """
    learned: tuple[Featuriser, StartVectors | None]
    if learn := task_of(config).learn if INPUTS[config.input].is_text else None:
        learned = imported(learn)(config, material)
        return learned
    if (kind := featuriser_class(config)) is not None:
        return kind.learned([example.text for example in material.train], config), None
    most = COUNTED * config.text.vocab_size if config.data.stream else None
    in_memory = (example.text for example in material.train)
    texts = material.sources() if config.text.tokens == "words" else in_memory
    return make_featuriser(texts_of(texts), config.text, most=most)


def texts_of(sources: Iterable[Any]) -> Iterator[str]:
    """Yield each text, and both texts of each pair."""
    return (text for source in sources for text in texts_in(source))


def numbered(config: Config, material: TrainingData, featuriser: Featuriser) -> tuple[TrainingData, Sides]:
    """Return the features of all examples. Those that cannot be read raise an error or are skipped."""
    kept: list[list[Example]] = []
    sides: list[list[Features]] = []
    for examples, source in ((material.train, config.data.train), (material.valid, config.data.valid)):
        good: list[Example] = []
        features: list[Features] = []
        for example in examples:
            try:
                numbers = features_at(example, featuriser, source or config.data.train or "the training texts")
            except DataError as error:
                material.faults.take(error)
                continue
            good.append(example)
            features.append(numbers)
        kept.append(good)
        sides.append(features)
    if not sides[0] or not sides[1]:
        reason = material.faults.first[0] if material.faults.first else "there are none"
        raise DataError(config.data.train or "the training texts", f"no training example is left: {reason}")
    return replace(material, train=kept[0], valid=kept[1]), (sides[0], sides[1])


def scale_to(front: Scaled, features: Sequence[Features], *, but: NDArray[np.bool_] | None = None) -> None:
    """Standardize each column of the input vectors to mean 0 and spread 1, except the columns `but` (width,)."""
    every = np.concatenate([cast("Item", item).arrays["vectors"] for item in features]).astype(np.float64)
    kept = np.zeros(every.shape[1], dtype=np.bool_) if but is None else but
    spread = np.where(kept, 1.0, every.std(axis=0))
    front.mean.copy_(torch.from_numpy(np.where(kept, 0.0, every.mean(axis=0))))
    front.spread.copy_(torch.from_numpy(np.where(spread > 0, spread, 1.0)))


def data_facts(
    material: TrainingData, featuriser: Featuriser, train: Sequence[Features], start: StartVectors | None
) -> dict[str, Any]:
    lengths = [len(each) for each in train]
    full = [e.text for e, n in zip(material.train, lengths, strict=True) if n == featuriser.max_tokens]
    facts: dict[str, Any] = {
        "train_texts": len(train),
        "valid_texts": len(material.valid),
        "mean_tokens": sum(lengths) / len(lengths),
        "cut_texts": sum(any(map(featuriser.is_cut, texts_of([text]))) for text in full),
        "empty_texts": sum(n == 0 for n in lengths),
    }
    if featuriser.shape.n_ids:
        facts["known_tokens"] = featuriser.shape.n_ids
    if material.faults.n:
        facts["bad_rows"] = material.faults.n
    if start is not None:
        facts |= {"words_found": start.found_words, "tokens_found": start.found_tokens, "vectors": start.fingerprint()}
    return facts
