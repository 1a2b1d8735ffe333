"""What each process of a group does in test_torchrun.py: `-m tests.training.one_of_several FOLDER TEXTS`."""

import itertools
import json
import random
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from tests.conftest import FILLERS

from heedful.cli.main import main as command
from heedful.config import Config
from heedful.data.example import Example, TwoTexts
from heedful.jobs.train.train import train_model
from heedful.training.dataset import read_data
from heedful.training.loop.process_group import ALONE, Group
from heedful.training.loop.torchrun import joined
from heedful.training.loop.trainer import Trainer
from heedful.training.setup import prepare

FLAGS = ["--units", "8", "--hops", "3", "--embed-width", "12", "--attention-width", "8", "--batch-size", "8"]
STILL_FLAGS = ["--dropout", "0", "--word-dropout", "0", "--context-dropout", "0"]
STILL = {
    "dropout": 0.0,
    "word_dropout": 0.0,
    "context_dropout": 0.0,
    "units": 8,
    "embed_width": 12,
    "attention_width": 8,
    "n_hops": 3,
}
STREAMED = {"stream": True, "shuffle_rows": 60, "start": "none", "batch_size": 8, "epochs": 2, "keep": "last"}

KINDS = ("classify", "balanced", "many", "regress", "tag", "pair", "translate")


def examples_of(kind: str, n: int = 61) -> list[Example]:
    """Return labelled texts of very different lengths, and an empty one."""
    rng = random.Random(5)
    texts = [" ".join(rng.choices(FILLERS, k=rng.choice([1, 2, 3, 30]))) for _ in range(n)]
    answers = {
        "regress": lambda text: str(len(text)),
        "many": lambda text: tuple(str(int(word in text)) if rng.random() < 0.7 else "" for word in ("town", "it")),
        "tag": lambda text: ["NOUN" if len(word) > 3 else "OTHER" for word in text.split()],
        "translate": lambda text: text.upper(),
    }
    label = answers.get(kind, lambda text: "with" if "town" in text else "without")
    if kind == "pair":
        return [Example(TwoTexts(text, other), label(text)) for text, other in zip(texts, texts[::-1], strict=True)]
    return [Example(text.split() if kind == "tag" else text, label(text)) for text in texts]


def trainer_of(kind: str, group: Group = ALONE) -> Trainer:
    """Return a trainer that is the same in every process."""
    task = kind if kind in ("regress", "tag", "pair", "translate") else "classify"
    settings = {**STILL, "class_weights": "balanced" if kind == "balanced" else "none", "start": "none"}
    if kind == "translate":
        settings |= {"decoder_units": 8}
    config = Config().with_given(task=task, batch_size=7, penalty=0.3, **settings)
    made = examples_of(kind)
    prepared = prepare(config, read_data(config, given=(made[:50], made[50:])))
    return Trainer(prepared.network, prepared.goal, settings=prepared.config.train, group=group)


def gradients(kind: str, group: Group = ALONE) -> dict[str, torch.Tensor]:
    """Return the gradients of a batch of five texts, an odd number."""
    trainer = trainer_of(kind, group)
    trainer.network.train()
    trainer.gradients(np.array([0, 7, 21, 33, 40]))
    named = dict(trainer.network.named_parameters())
    return {name: p.grad.to_dense().contiguous() for name, p in named.items() if p.grad is not None}


def main(folder: Path, texts: Path) -> None:
    """Do together, in one launch, all that needs no launch of its own."""
    with joined() as group:
        write_batches(folder, group)
        stopped(texts, folder / "stopped-by-two")
        resume(texts, folder / "stopped-by-one")
        train_model(Config().with_given(**STILL, **STREAMED, train=str(to_stream(texts))), folder / "streamed")


def to_stream(texts: Path) -> Path:
    """Return the file of the same texts that can be streamed."""
    return texts.with_suffix(".jsonl")


def write_batches(folder: Path, group: Group) -> None:
    """Write the gradients of each kind, and which texts this process saw in an epoch."""
    for kind in KINDS:
        of_kind = gradients(kind, group)
        if group.is_first:
            save_file(of_kind, folder / f"{kind}.safetensors")
    trainer = trainer_of("classify", group)
    parts = [group.part(batch) for batch in trainer.goal.batches(trainer.settings, 0)]
    seen = [int(position) for part in parts for position in part]
    (folder / f"seen-{group.rank}.json").write_text(json.dumps(seen))


def stopped(texts: Path, out: Path) -> None:
    """Train, and stop after thirty steps."""
    steps = itertools.count()
    config = Config().with_given(**STILL, train=str(texts), batch_size=8, epochs=3)
    train_model(config, out, should_stop=lambda: next(steps) >= 30)


def resume(texts: Path, out: Path) -> None:
    """Take up what was stopped, as a user does."""
    words = ["train", str(texts), "-o", str(out), *FLAGS, *STILL_FLAGS, "--epochs", "3", "--resume"]
    assert command(words) == 0


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
