"""Probabilities that are as sure as they should be: scores divided by a temperature."""

from __future__ import annotations

from dataclasses import replace

import torch

from heedful.jobs.train.measure_saved import outputs_of
from heedful.training.loop.checkpoint import weights_of
from heedful.training.loop.trainer import FitResult
from heedful.training.setup import Prepared
from heedful.training.start.choose_tuning import divide_scores


def calibrated(prepared: Prepared, fit: FitResult) -> tuple[Prepared, FitResult]:
    """Divide the scores by the temperature that is best for the validation set. No prediction changes."""
    network, goal = prepared.network.cpu(), prepared.goal.to(torch.device("cpu"))
    network.load_state_dict(dict(fit.weights))
    temperature = goal.inside.temperature_of(outputs_of(network, goal))
    if temperature == 1.0:
        return prepared, fit
    divide_scores(network, temperature)
    facts = {**prepared.facts, "temperature": temperature}
    return replace(prepared, facts=facts), replace(fit, weights=weights_of(network), is_calibrated=True)
