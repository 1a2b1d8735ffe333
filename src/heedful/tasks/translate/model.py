"""The model a user holds that says a text in another language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from heedful.data.batch import Batch, ordered_batches, pad
from heedful.data.features import Features
from heedful.errors import HeedfulError, ModelFolderError
from heedful.runtime.answer import AnswerForms
from heedful.runtime.cancel import check_wanted
from heedful.runtime.checked_inputs import is_one, listed
from heedful.runtime.model import MAX_CELLS, Model
from heedful.runtime.session import Session
from heedful.store.contained_files import read_file
from heedful.store.folder import DECODER, Stored
from heedful.tasks.translate.beam import Floats, Hypothesis, Memory, Step, beam_search
from heedful.tasks.translate.read import TwoLanguages
from heedful.text.bpe import BOS_EOS

if TYPE_CHECKING:
    from heedful.data.table import Data
    from heedful.tasks.translate.explain import Alignment
    from heedful.tasks.translate.metrics import TranslationMetrics

MEMORY = ("first", "first_cell", "second", "second_cell")  # as in network/heads/decoder_onnx.py
STEP_INPUTS = ("before", *MEMORY, "states")
STEP_OUTPUTS = ("log_probabilities", *(f"next_{name}" for name in MEMORY), "weights")
MOST_BEAM = 100
MOST_SCORES = 2**24  # of tokens that may come next, in one step: bounds memory whatever the beam
CALL = 1024  # padded tokens that cost as much as one more search, which calls the decoder for every token it says
LONGEST, LONGER = 2, 10  # a translation has at most twice the tokens of its text and ten more


@dataclass(frozen=True)
class Translation:
    """A translation of a text.

    Attributes:
        text: the translation.
        score: mean log-probability of a token.

    Example:
        >>> translator.candidates(["one two"], beam=1)[0][0]
        Translation(text=..., score=...)
    """

    text: str
    score: float


class Translator(Model):
    """A trained translator. Texts go in, translations come out in the same order, whatever the batch size.

    Attributes:
        beam: size of the beam search unless another is given.

    Example:
        >>> translator.translate("one two")
        '...'
    """

    does = "translates"
    output = "states"
    featuriser: TwoLanguages
    beam = 5  # ways to go on that are kept at each step, where nothing else is said

    if TYPE_CHECKING:

        def evaluate(
            self,
            data: Data,
            *,
            text: str | None = None,
            label: str | None = None,
            on_note: Callable[[str], None] | None = None,
        ) -> TranslationMetrics: ...

    def __init__(self, stored: Stored, *, threads: int | None = None) -> None:
        graph = read_file(stored.path, DECODER)
        self._decoder = Session(graph, outputs=STEP_OUTPUTS, inputs=STEP_INPUTS, threads=threads, name=DECODER)
        super().__init__(stored, threads=threads)

    @overload
    def translate(  # type: ignore[overload-overlap]
        self, texts: str, *, beam: int | None = ..., batch_size: int = ...
    ) -> str: ...
    @overload
    def translate(self, texts: Iterable[str], *, beam: int | None = ..., batch_size: int = ...) -> list[str]: ...
    def translate(
        self, texts: str | Iterable[str], *, beam: int | None = None, batch_size: int = 64
    ) -> str | list[str]:
        """Translate texts.

        Args:
            texts: a text or several.
            beam: size of the beam search, 1 to 100; 1 is greedy.
            batch_size: texts in one run.

        Returns:
            The best translation of each text; of one text, that alone.

        Raises:
            InputError: if an input is not a text.
            HeedfulError: if `beam` or `batch_size` has an invalid value.

        Example:
            >>> len(translator.translate(["one two", "three"], beam=1))
            2
        """
        translations = [some[0].text for some in self.candidates(_many(texts), beam=beam, batch_size=batch_size)]
        return translations[0] if is_one(texts) else translations

    def candidates(
        self, texts: Iterable[str], *, beam: int | None = None, batch_size: int = 64
    ) -> list[list[Translation]]:
        """Return several translations of each text.

        Args:
            texts: several texts.
            beam: size of the beam search, and the largest number of translations.
            batch_size: texts in one run.

        Returns:
            For each text a list of translations with their scores, the best first.

        Raises:
            InputError: if an input is not a text.
            HeedfulError: if `beam` or `batch_size` has an invalid value.

        Example:
            >>> best, *others = translator.candidates(["one two"], beam=3)[0]
            >>> best.score >= others[0].score
            True
        """
        beams = self.search(self.featurise(texts), beam=beam, batch_size=batch_size)
        target = self.featuriser.target
        return [[Translation(target.text_of(each.ids), each.score) for each in hypotheses] for hypotheses in beams]

    @overload
    def predict(self, texts: str, *, batch_size: int = 64) -> str: ...  # type: ignore[overload-overlap]
    @overload
    def predict(self, texts: Iterable[str], *, batch_size: int = 64) -> list[str]: ...
    def predict(self, texts: str | Iterable[str], *, batch_size: int = 64) -> str | list[str]:
        """Translate texts, as `translate` does.

        Args:
            texts: a text or several.
            batch_size: texts in one run.

        Returns:
            The best translation of each text; of one text, that alone.

        Raises:
            InputError: if an input is not a text.

        Example:
            >>> translator.predict("one two") == translator.translate("one two")
            True
        """
        return self.translate(texts, batch_size=batch_size)

    def answers(self, texts: Sequence[Any]) -> list[AnswerForms]:
        """Return the translation of each text in the forms that files, programs and terminals ask for."""
        return [_answer(candidates) for candidates in self.candidates(texts)]

    @overload
    def explain(  # type: ignore[overload-overlap]
        self, texts: str, *, beam: int | None = ..., batch_size: int = ...
    ) -> Alignment: ...
    @overload
    def explain(self, texts: Iterable[str], *, beam: int | None = ..., batch_size: int = ...) -> list[Alignment]: ...
    def explain(
        self, texts: str | Iterable[str], *, beam: int | None = None, batch_size: int = 64
    ) -> Alignment | list[Alignment]:
        """Translate texts, with the words of the text that each word of the translation attends to.

        Args:
            texts: a text or several.
            beam: size of the beam search, 1 to 100; 1 is greedy.
            batch_size: texts in one run.

        Returns:
            An Alignment for each text; of one text, that alone.

        Raises:
            InputError: if an input is not a text.
            HeedfulError: if `beam` or `batch_size` has an invalid value.

        Example:
            >>> translator.explain("one two").source
            ('one', 'two')
        """
        from heedful.tasks.translate.explain import align_texts

        alignments: list[Alignment] = align_texts(self, _many(texts), beam=beam, batch_size=batch_size)
        return alignments[0] if is_one(texts) else alignments

    def search(
        self, features: Sequence[Features], *, beam: int | None = None, batch_size: int = 64
    ) -> list[list[Hypothesis]]:
        """Return what the beam search found for each text; a text without tokens is left as it is."""
        beam = self.beam if beam is None else beam
        if not 1 <= beam <= MOST_BEAM:
            raise HeedfulError(f"beam is {beam}, expected 1 to {MOST_BEAM}")
        if batch_size < 1:
            raise HeedfulError(f"batch_size is {batch_size}, expected at least 1")
        beams = [[Hypothesis((), 0.0, np.zeros((0, 0), np.float32))] for _ in features]
        full = [i for i, ids in enumerate(features) if len(ids)]
        most = max(1, min(batch_size, MOST_SCORES // (beam * len(self.featuriser.target))))
        for batch in ordered_batches([features[i] for i in full], max_texts=most, max_cells=MAX_CELLS, call=CALL):
            for i, hypotheses in zip(batch.positions, self._search(batch, beam), strict=True):
                if not hypotheses:
                    raise ModelFolderError(f"{self.path}: {DECODER} gives scores that are not numbers")
                beams[full[i]] = hypotheses
        return beams

    def _search(self, batch: Batch, beam: int) -> list[list[Hypothesis]]:
        states, *memory = self._session.run(batch, ("states", *MEMORY))
        return beam_search(self._step(states, batch.lengths), memory, LONGEST * batch.lengths + LONGER, beam=beam)

    def next_log_probabilities(self, batch: Batch, target: NDArray[np.int64]) -> Floats:
        """Return log-probabilities (batch, out, id) of each next token, with the true tokens (batch, out) before it."""
        source = Batch({"ids": batch.ids}, batch.lengths, batch.positions)
        states, *memory = self._session.run(source, ("states", *MEMORY))
        step = self._step(states, batch.lengths)
        before = np.concatenate([np.full_like(target[:, :1], BOS_EOS), target[:, :-1]], axis=1)
        steps = []
        for at in range(before.shape[1]):
            scores, memory, _ = step(before[:, at : at + 1], memory)  # type: ignore[assignment]
            steps.append(scores)
        return np.concatenate(steps, axis=1)

    def _step(self, states: Floats, lengths: NDArray[np.int64]) -> Step:
        """Return the decoder's step over these states (batch, time, width)."""

        def step(before: NDArray[np.int64], memory: Memory) -> tuple[Floats, Memory, Floats]:
            check_wanted()
            inputs: dict[str, NDArray[Any]] = {"before": before, "states": states}
            inputs |= dict(zip(MEMORY, memory, strict=True))
            scores, *after, weights = self._decoder.run(Batch(inputs, lengths, np.arange(len(lengths))), STEP_OUTPUTS)
            return scores, after, weights

        return step

    def run(
        self, features: Sequence[Features], outputs: Sequence[str], *, batch_size: int = 64
    ) -> Iterator[tuple[Batch, list[Floats]]]:
        """Yield each batch with what the encoder makes of it; hops and labels, which it has not, are refused."""
        if missing := sorted(set(outputs) - {self.output, *self._parts}):
            raise HeedfulError(f"{self.path.name} translates and has no {' and no '.join(missing)}")
        return super().run(features, outputs, batch_size=batch_size)

    def _check_files_fit(self) -> None:
        """Translate one token, the last of the vocab, so that graphs from another model are found now, not midway."""
        known, n_ids = self.facts.data.get("known_tokens", len(self.featuriser)), len(self.featuriser)
        if known != n_ids:
            raise ModelFolderError(f"{self.path}: the vocab has {n_ids:,} tokens, facts.json says {known:,}")
        last = np.array([n_ids - 1], dtype=np.int32)
        batch = pad([last], [0])
        try:
            states, *memory = self._session.run(batch, ("states", *MEMORY))
            before = np.array([[len(self.featuriser.target) - 1]])
            shape = self._step(states, batch.lengths)(before, memory)[0].shape
        except Exception as error:  # the library has no common class for what it raises
            raise ModelFolderError(f"{self.path}: the graphs do not fit the vocab, or each other: {error}") from None
        if shape != (1, 1, len(self.featuriser.target)):
            expected = (1, 1, len(self.featuriser.target))
            raise ModelFolderError(f"{self.path}: {DECODER} gives {shape}, expected {expected} by input.json")

    @property
    def _parts(self) -> tuple[str, ...]:
        return (*MEMORY, *self.looks_outputs)

    def __repr__(self) -> str:
        source, target = (self.config.data.text or "text"), (self.config.data.label or "text")
        return f"<heedful translator {self.path.name}: {source} to {target}, {self.config.model.encoder}>"


def _answer(candidates: Sequence[Translation]) -> AnswerForms:
    best = candidates[0]
    others = [{"text": each.text, "score": round(each.score, 6)} for each in candidates]
    cells = {"predicted": best.text, "score": round(best.score, 6)}
    return AnswerForms(cells, {"translation": best.text, "candidates": others}, best.text)


def _many(texts: str | Iterable[str]) -> list[str]:
    return [texts] if is_one(texts) else listed(texts)
