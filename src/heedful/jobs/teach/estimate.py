"""How long a teacher will take, from the time of a few texts."""

from __future__ import annotations

import time

import torch

from heedful.config import Config
from heedful.data.batch import ordered_batches
from heedful.network.tensors import tensors_of
from heedful.training.dataset import TrainingData
from heedful.training.loop.device import threads
from heedful.training.resolve import resolve
from heedful.training.setup import threads_for
from heedful.training.start.from_encoder import EncoderStart

TRIED = 64  # texts
BACKWARD = 3.0  # time of a training step, relative to that of an answer


def estimate(start: EncoderStart, config: Config, material: TrainingData, n_to_label: int) -> list[str]:
    """Return lines about the time to tune a teacher and to label texts."""
    config = resolve(config, n_texts=material.n_train, start=start)
    each = seconds_of_text(start, config, material)
    tuning = BACKWARD * each * material.n_train * config.train.epochs
    return [
        f"tuning the teacher {start.name} on {material.n_train:,} texts: {minutes(tuning)}; "
        f"then labelling {n_to_label:,} texts: {minutes(each * n_to_label)}"
    ]


def seconds_of_text(start: EncoderStart, config: Config, material: TrainingData) -> float:
    """Return the seconds of one answer, by some texts of the training."""
    featuriser, network = start.featuriser_for(config), start.network(config, material.labels).eval()
    step = max(1, len(material.train) // TRIED)
    features = [featuriser.features(example.text) for example in material.train[::step][:TRIED]]
    with torch.inference_mode(), threads(threads_for(config)):
        started = time.perf_counter()
        for batch in ordered_batches(features, max_texts=16, max_cells=16_384):
            network(*tensors_of(batch))
        return (time.perf_counter() - started) / len(features)


def minutes(seconds: float) -> str:
    """Return a time as a rough number of minutes."""
    if seconds < 90:
        return "about a minute" if seconds > 30 else "less than a minute"
    return f"about {seconds / 60:,.0f} minutes"
