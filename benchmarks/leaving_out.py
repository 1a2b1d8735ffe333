"""The rivals of the explanation table: ways to leave words out of all-MiniLM-L6-v2 with a linear head.

captum's FeatureAblation, one word a call (its default) and all words in one batch, in torch and in ONNX Runtime int8;
and ferret's leave-one-out where it is installed.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.embedding import say
from benchmarks.encoders import MAX_TOKENS, load_onnx, load_teacher, make_onnx, teacher_folder
from benchmarks.probe import fitted, labels_of, texts_of, unit
from heedful.data.example import Example

Forward = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]  # ids, mask (batch, time) → vectors (batch, width)


@dataclass(frozen=True)
class Row:
    """One way to explain a text."""

    name: str
    explain: Callable[[str], object]
    parts: Callable[[str], int]  # how many words or pieces of a text it leaves out, one after the other
    accuracy: float  # of the model that is explained, on all dev texts, in percent


class Head:
    """Logistic regression on vectors of length 1, as plain weights."""

    def __init__(self, vectors: NDArray[np.float32], labels: Sequence[str]) -> None:
        self._fitted = fitted(vectors, labels).best_estimator_
        self.weights = torch.tensor(self._fitted.coef_[0], dtype=torch.float32)  # (width,)
        self.bias = float(self._fitted.intercept_[0])

    def log_odds(self, vectors: torch.Tensor) -> torch.Tensor:
        """Return the log-odds of the second label (batch,)."""
        return torch.nn.functional.normalize(vectors) @ self.weights + self.bias

    def accuracy(self, vectors: NDArray[np.float32], labels: Sequence[str]) -> float:
        """Return the share of right answers, in percent."""
        return 100 * float(self._fitted.score(unit(vectors), labels))


class CaptumByWords:
    """FeatureAblation over the words of a text."""

    def __init__(self, forward: Forward, head: Head, tokeniser: Any, *, together: bool) -> None:
        from captum.attr import FeatureAblation

        self._vectors, self._head, self._tokeniser, self._together = forward, head, tokeniser, together
        self._first, self._last = (torch.tensor([[i]]) for i in (tokeniser.cls_token_id, tokeniser.sep_token_id))
        self._method = FeatureAblation(self.probability)

    def probability(self, inner: torch.Tensor) -> torch.Tensor:
        """Return the probability of the second label (batch,) for pieces (batch, time) between [CLS] and [SEP]."""
        n = len(inner)
        ids = torch.cat([self._first.expand(n, 1), inner, self._last.expand(n, 1)], dim=1)
        return self._head.log_odds(self._vectors(ids, torch.ones_like(ids))).sigmoid()

    def words(self, text: str) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the pieces of a text, and which word each is of, both (1, time)."""
        found = self._tokeniser(
            text.split(),
            is_split_into_words=True,
            add_special_tokens=False,
            truncation=True,
            max_length=MAX_TOKENS - 2,
        )
        return torch.tensor([found["input_ids"]]), torch.tensor([found.word_ids()])

    def explain(self, text: str) -> torch.Tensor:
        """Return for each piece how much less probable the second label is without its word (1, time)."""
        ids, words = self.words(text)
        with torch.inference_mode():
            found: torch.Tensor = self._method.attribute(
                ids,
                baselines=self._tokeniser.mask_token_id,
                feature_mask=words,
                perturbations_per_eval=int(words.max()) + 1 if self._together else 1,
            )
        return found

    def n_words(self, text: str) -> int:
        """Return how many words are left out in turn."""
        return int(self.words(text)[1].max()) + 1


class WithLogits(torch.nn.Module):
    """A network and head with the face of transformers' classifiers, for ferret."""

    device = torch.device("cpu")

    def __init__(self, forward: Forward, head: Head) -> None:
        super().__init__()
        self._vectors, self._head = forward, head

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, **_: Any) -> SimpleNamespace:
        """Return logits (batch, 2)."""
        odds = self._head.log_odds(self._vectors(input_ids, attention_mask))
        return SimpleNamespace(logits=torch.stack([torch.zeros_like(odds), odds], dim=1))


def torch_forward() -> Forward:
    """Return all-MiniLM-L6-v2 with mean pooling, in torch."""
    from transformers import AutoModel

    model = AutoModel.from_pretrained(str(teacher_folder())).eval()

    def forward(ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        states = model(input_ids=ids, attention_mask=mask).last_hidden_state  # (batch, time, width)
        weights = mask.unsqueeze(-1).float()
        pooled: torch.Tensor = (states * weights).sum(1) / weights.sum(1)  # (batch, width)
        return pooled

    return forward


def onnx_forward(cache: Path, threads: int) -> Forward:
    """Return the same as int8 in ONNX Runtime."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        str(cache / "teacher_int8.onnx"), options, providers=["CPUExecutionProvider"]
    )

    def forward(ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(session.run(["vector"], {"ids": ids.numpy(), "mask": mask.numpy()})[0])

    return forward


def rivals(cache: Path, train: Sequence[Example], dev: Sequence[Example], *, threads: int) -> dict[str, Row]:
    """Return the rows on all-MiniLM-L6-v2."""
    from transformers import AutoTokenizer

    tokeniser = AutoTokenizer.from_pretrained(str(teacher_folder()))
    say(f"rival: vectors of {len(train):,} texts")
    encode = load_teacher(cache, threads)
    head = Head(encode(texts_of(train)), labels_of(train))
    eager, whole = torch_forward(), head.accuracy(encode(texts_of(dev)), labels_of(dev))
    make_onnx(cache)
    small = head.accuracy(load_onnx(cache, threads)(texts_of(dev)), labels_of(dev))
    ways = {
        "captum_default": ("captum, one word a call (its default)", eager, False, whole),
        "captum_batch": ("captum, all words in one batch", eager, True, whole),
        "captum_onnx": ("captum, all words in one batch, ONNX int8", onnx_forward(cache, threads), True, small),
    }
    rows = {}
    for key, (name, forward, together, accuracy) in ways.items():
        way = CaptumByWords(forward, head, tokeniser, together=together)
        rows[key] = Row(name, way.explain, way.n_words, accuracy)
    if why_no_ferret() is None:
        rows["ferret"] = ferret_row(eager, head, tokeniser, whole)
    return rows


def why_no_ferret() -> str | None:
    """Return why ferret is not measured, None where it is.

    ferret-xai 0.4.2 asks for numpy<2, transformers<5 and captum<0.8, against our pins, but runs with ours: a throw-away
    venv that sees ours by a .pth file, and in it `pip install --no-deps ferret-xai` and the packages that it imports.
    """
    if importlib.util.find_spec("ferret") is None:
        return "ferret-xai is not installed; it asks for numpy<2, transformers<5 and captum<0.8, against our pins"
    return None


def ferret_row(forward: Forward, head: Head, tokeniser: Any, accuracy: float) -> Row:
    """Return ferret's leave-one-out, which it has inside a measure of other explanations."""
    from ferret.evaluators.faithfulness_measures import TauLOO_Evaluation

    method = TauLOO_Evaluation(WithLogits(forward, head), tokeniser)
    return Row(
        f"ferret {version('ferret-xai')}, leave-one-out",
        lambda text: method.compute_leave_one_out_occlusion(text, target=1),
        lambda text: len(tokeniser(text, add_special_tokens=False)["input_ids"]),
        accuracy,
    )
