"""MiniLM tuned on labels by a plain loop: the mean of its states into a linear layer.

The settings were chosen beforehand, as usual for a model of this size, and are the same for every set. Epochs go by the
texts of a label: three, two above 1,000 (SST-2), one above 5,000 (AG News).
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.encoders import MAX_TOKENS, teacher_folder
from benchmarks.rivals import Predict

if TYPE_CHECKING:
    import torch

BATCH, RATE, HEAD_RATE, WARM = 16, 5e-5, 1e-3, 0.1


class Tuned:
    """MiniLM, the mean of its states and a linear layer; `labels` are in the order of the scores."""

    def __init__(self, labels: list[str]) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer

        self.labels = labels
        self.tokenizer = AutoTokenizer.from_pretrained(str(teacher_folder()))
        self.body = AutoModel.from_pretrained(str(teacher_folder()))
        self.head = torch.nn.Linear(self.body.config.hidden_size, len(labels))
        self.whole = torch.nn.ModuleList([self.body, self.head])

    def tokens(self, texts: list[str]) -> list[list[int]]:
        """Return the ids of each text."""
        return list(self.tokenizer(texts, truncation=True, max_length=MAX_TOKENS)["input_ids"])

    def scores(self, tokens: Sequence[list[int]]) -> torch.Tensor:
        """Return scores (batch, labels) of texts, padded to the longest."""
        import torch

        longest = max(map(len, tokens))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in tokens])
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in tokens])
        states = self.body(input_ids=ids, attention_mask=mask).last_hidden_state  # (batch, time, width)
        weights = mask.unsqueeze(-1).float()
        scores: torch.Tensor = self.head((states * weights).sum(1) / weights.sum(1))
        return scores

    def predict(self, texts: list[str]) -> list[str]:
        """Return the labels of texts, in batches of similar length."""
        import torch

        self.whole.eval()
        tokens, answers = self.tokens(texts), [""] * len(texts)
        order = sorted(range(len(texts)), key=lambda i: len(tokens[i]))
        with torch.inference_mode():
            for start in range(0, len(order), 32):
                chosen = order[start : start + 32]
                for i, best in zip(chosen, self.scores([tokens[i] for i in chosen]).argmax(1).tolist(), strict=True):
                    answers[i] = self.labels[best]
        return answers


def train_tuned(texts: list[str], labels: list[str], seed: int, folder: Path) -> float:
    """Tune MiniLM on the labels: AdamW, a tenth of the steps to warm up, then down to nothing."""
    import torch
    from safetensors.torch import save_model

    torch.manual_seed(seed)
    model = Tuned(sorted(set(labels)))
    tokens, targets = model.tokens(texts), [model.labels.index(label) for label in labels]
    batches = list(_batches(tokens, epochs_for(len(texts) / len(model.labels)), seed))
    groups = [{"params": model.body.parameters()}, {"params": model.head.parameters(), "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, lr=RATE, weight_decay=0.01)
    warm = WARM * len(batches)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, (len(batches) - step) / (len(batches) - warm))
    )
    model.whole.train()
    for step, batch in enumerate(batches):
        loss = torch.nn.functional.cross_entropy(
            model.scores([tokens[i] for i in batch]), torch.tensor([targets[i] for i in batch])
        )
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.whole.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(f"  {time.strftime('%H:%M:%S')} step {step} of {len(batches)}, loss {loss.item():.3f}", flush=True)
    save_model(model.whole, str(folder / "model.safetensors"))
    (folder / "labels.json").write_text(json.dumps(model.labels), encoding="utf-8")
    return 0.0


def epochs_for(texts: float) -> int:
    """Return how often the texts are read, by the mean number of a label."""
    return 3 if texts < 1_000 else 2 if texts < 5_000 else 1


def _batches(tokens: Sequence[list[int]], epochs: int, seed: int) -> Iterator[Any]:
    """Yield texts of similar length: of every 50 batches' texts, sorted, the batches in any order."""
    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        order = rng.permutation(len(tokens))
        for start in range(0, len(order), 50 * BATCH):
            part = sorted(order[start : start + 50 * BATCH], key=lambda i: len(tokens[i]))
            firsts = rng.permutation(range(0, len(part), BATCH))
            yield from (part[first : first + BATCH] for first in firsts)


def load_tuned(folder: Path) -> Predict:
    """Return its answers."""
    from safetensors.torch import load_model

    model = Tuned(json.loads((folder / "labels.json").read_text(encoding="utf-8")))
    load_model(model.whole, str(folder / "model.safetensors"))
    return model.predict
