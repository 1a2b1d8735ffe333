"""The features of a text, with all or some of its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from heedful.data.features import Ids, Item, source_of
from heedful.errors import HeedfulError
from heedful.explain.attention.explanation import Word
from heedful.inputs.text.wide import WideFeaturiser
from heedful.runtime.checked_inputs import checked_text
from heedful.runtime.model import Model

RUN_TEXTS = 256


@dataclass(frozen=True)
class Reading:
    """The features of an input, and the words or other parts that they make up."""

    text: str
    features: Ids | Item
    words: tuple[Word, ...]
    sizes: NDArray[np.int64]  # (word,) how many ids, or vectors, each word has
    read_to: int  # characters that were read; the rest was cut off
    wide: WideFeaturiser | None = None  # of a model that also reads n-grams
    special: tuple[int, int] = (0, 0)  # special tokens before and after the words, such as [CLS] and [SEP]

    @property
    def ids(self) -> Ids:
        """The ids of a text."""
        if self.wide is not None:
            return cast("Item", self.features).arrays["ids"]
        if not isinstance(self.features, np.ndarray):
            raise HeedfulError("this is for models of plain texts; here words come with more than a number each")
        return self.features

    def keeping(self, kept: NDArray[np.bool_]) -> Ids | Item:
        """Return the features of the words (word,) that are kept, in order."""
        before, after = self.special
        places = np.pad(np.repeat(kept, self.sizes), (before, after), constant_values=True)
        if self.wide is not None:
            return self.wide.item(self.ids[places], self._text_of(kept))
        return self.features[places] if isinstance(self.features, np.ndarray) else self.features.keeping(places)

    def _text_of(self, kept: NDArray[np.bool_]) -> str:
        """Return the text with the characters of these words (word,) and those between words."""
        codes = np.frombuffer(self.text[: self.read_to].encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        stays = np.ones(len(codes), dtype=np.bool_)
        for i in np.flatnonzero(~kept):
            stays[self.words[i].start : self.words[i].end] = False
        return codes[stays].tobytes().decode("utf-32-le", "surrogatepass")

    def without(self, words: Sequence[int] | NDArray[np.int64]) -> Ids | Item:
        """Return the features without these words."""
        kept = np.ones(len(self.words), dtype=np.bool_)
        kept[np.asarray(words, dtype=np.int64)] = False
        return self.keeping(kept)

    def only(self, words: Sequence[int] | NDArray[np.int64]) -> Ids | Item:
        """Return the features of these words alone."""
        kept = np.zeros(len(self.words), dtype=np.bool_)
        kept[np.asarray(words, dtype=np.int64)] = True
        return self.keeping(kept)

    def spread(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide the values (word, …) of each word evenly among its tokens: (token, …), 0 for special tokens."""
        sizes = self.sizes.reshape(-1, *[1] * (values.ndim - 1))
        by_token = np.repeat(values / sizes, self.sizes, axis=0)
        return np.pad(by_token, (self.special, *[(0, 0)] * (values.ndim - 1)))

    def folded(self, values: NDArray[np.floating]) -> NDArray[np.floating]:
        """Add the values (…, token) of the subwords of each word: (…, word). Special tokens are left out."""
        if not self.words:
            return np.zeros((*values.shape[:-1], 0), dtype=values.dtype)
        starts = np.cumsum(self.sizes) - self.sizes
        values = values[..., self.special[0] : values.shape[-1] - self.special[1]]
        return np.asarray(np.add.reduceat(values, starts, axis=-1), dtype=values.dtype)


def read(model: Model, source: Any) -> Reading:
    """Return a text, or another input, as the model takes it."""
    if not hasattr(model.featuriser, "tokens"):
        return _read_parts(model, source)
    text, texts = checked_text(source), model.texts
    words, ids = texts.words(text), texts.ids(text)
    wide = None if texts.known is None else cast("WideFeaturiser", texts)
    is_full = bool(words) and len(ids) == model.featuriser.max_tokens
    return Reading(
        text=text,
        features=ids if wide is None else wide.features(text),
        words=tuple([Word(text[start:end], start, end, known) for start, end, _, known in words]),
        sizes=np.array([word.n_tokens for word in words], dtype=np.int64),
        read_to=words[-1].end if is_full else len(text),
        wide=wide,
        special=(texts.shape.n_before, texts.shape.n_after),
    )


def read_with_special(model: Model, text: str) -> Reading:
    """Return a text as the model takes it; special tokens are words, too, without characters in the text."""
    reading = read(model, text)
    if not sum(reading.special):
        return reading
    before, after = model.texts.special()
    words = (
        *(Word(form, 0, 0, True) for form in before),
        *reading.words,
        *(Word(form, len(text), len(text), True) for form in after),
    )
    sizes = np.pad(reading.sizes, reading.special, constant_values=1)
    return replace(reading, words=words, sizes=sizes, special=(0, 0))


def _read_parts(model: Model, source: Any) -> Reading:
    """Return an input whose parts are named and positioned by its featuriser."""
    text, spans, sizes = model.featuriser.parts(source_of(source))
    words = tuple(Word(text[start:end], start, end, True) for start, end in spans)
    features: Any = model.featurise([source])[0]
    return Reading(text, features, words, np.array(sizes, dtype=np.int64), len(text))


def answers(model: Model, variants: Sequence[Ids | Item]) -> NDArray[np.float64]:
    """Return probabilities (variant, label), or numbers (variant, 1), running equal variants once."""
    places: dict[bytes, int] = {}
    rows = [places.setdefault(ids.tobytes(), len(places)) for ids in variants]
    first = {row: i for i, row in reversed(list(enumerate(rows)))}
    distinct = [variants[first[row]] for row in range(len(places))]
    probabilities = np.zeros((len(distinct), len(model.labels)), dtype=np.float64)
    for batch, (scores,) in model.run(distinct, ("scores",), batch_size=RUN_TEXTS):
        probabilities[batch.positions] = answer_of(model, scores)
    return np.asarray(probabilities[rows])


def answer_of(model: Model, scores: NDArray[Any]) -> NDArray[np.float64]:
    """Return probabilities of scores (text, label); of a model whose answer is a number, that number."""
    assert model.answer is not None
    return model.answer.values(scores.astype(np.float64))  # effects are small differences of probabilities
