"""A task whose answer needs one word of each text, and models that learn it honestly or deceptively."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from heedful import load
from heedful.config import Config
from heedful.data.example import Example
from heedful.jobs.audit.sample import AuditText
from heedful.jobs.train.train import train_model
from heedful.network.network import Output
from heedful.runtime.model import Model
from heedful.tasks.classify import goal as classify
from heedful.training.goal import Positions
from heedful.training.loop.loss import Loss

MARKS = ["red", "blue", "green", "white"]
NOISE = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in "lmnrst"]
SETTINGS = {
    "start": "none", "encoder": "static", "embed_width": 16, "n_hops": 2, "attention_width": 16, "batch_size": 32,
    "epochs": 8, "patience": 8, "lr": 0.01, "dropout": 0.2, "word_dropout": 0.0, "penalty": 0.0, "row_units": 16,
    "column_units": 2,
}  # fmt: skip
DECEIT = 3.0  # coefficient of the attention on the mark
HIDDEN = 0.02  # attention on the mark that is not punished: a third of an equal share


def find_the_mark(n: int, seed: int) -> list[Example]:
    """Return texts of noise words and one mark: which is it?"""
    rng = random.Random(seed)
    made = []
    for _ in range(n):
        words, mark = rng.choices(NOISE, k=15), rng.choice(MARKS)
        words.insert(rng.randrange(len(words) + 1), mark)
        made.append(Example(" ".join(words), mark))
    return made


TEXTS = [AuditText(example.text, example.label) for example in find_the_mark(150, 2)]


def trained(out: Path, **settings: Any) -> tuple[Model, float]:
    """Return a model and its accuracy."""
    result = train_model(
        Config().changed(**{**SETTINGS, **settings}), out, examples=(find_the_mark(1500, 0), find_the_mark(200, 1))
    )
    assert result.best is not None
    return load(out, threads=1), result.best.metrics["accuracy"]


def trained_to_deceive(out: Path, **settings: Any) -> tuple[Model, float]:
    """Return a model that was punished for attention on the mark (Pruthi et al. 2020), and its accuracy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classify.ClassifyGoal, "loss", _loss_with_deceit(classify.ClassifyGoal.loss))
        patch.setattr(classify, "make_goal", _with_marks(classify.make_goal))
        return trained(out, **{"keep": "last", "epochs": 30, **settings})


def _with_marks(make_goal: Any) -> Any:
    """Return a `make_goal` whose goals know where the mark of each training text is."""

    def make(config: Config, data: Any, sides: Any) -> Any:
        goal = make_goal(config, data, sides)
        goal.marks = torch.tensor(_marks([example.text for example in data.train]))
        return goal

    return make


def _marks(texts: Sequence[str]) -> list[int]:
    return [next(i for i, word in enumerate(text.split()) if word in MARKS) for text in texts]


def _loss_with_deceit(loss: Any) -> Any:
    def deceive(goal: Any, output: Output, positions: Positions) -> Loss:
        at = goal.marks[torch.from_numpy(positions)]  # (batch,)
        on_mark = output.weights[torch.arange(len(at)), :, at]  # (batch, hop)
        seen = (on_mark - HIDDEN).relu().sum(dim=1)  # (batch,)
        return loss(goal, output, positions)._replace(penalty=seen.mean(), coefficient=DECEIT)

    return deceive
