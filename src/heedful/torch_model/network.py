"""The torch network of a model folder."""

from __future__ import annotations

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from heedful.data.batch import pad
from heedful.data.features import Features
from heedful.errors import ModelFolderError
from heedful.network.build import build_network
from heedful.network.network import Network, front_inputs
from heedful.network.tensors import tensors_of
from heedful.runtime.model import Model
from heedful.store.folder import WEIGHTS, has_weights, read_weights_of
from heedful.training.start.fits import threads_for_work, work_of

_built: WeakKeyDictionary[Model, Network] = WeakKeyDictionary()


def network_of(model: Model) -> Network:
    """Return the torch network of a model, ready for gradients; built once per model."""
    if model not in _built:
        with torch.inference_mode(False):  # so that gradients work even if the first caller is in inference mode
            _built[model] = _network(model)
    return _built[model]


def _network(model: Model) -> Network:
    if not has_weights(model.path, model.facts, model.config.model):
        raise ModelFolderError(f"{model.path} has no {WEIGHTS}, which gradients need")
    weights: Mapping[str, NDArray[np.float32]] = read_weights_of(model.path, model.facts, model.config.model)
    _check_fit(model, weights)
    network = build_network(model.config.model, shape=model.featuriser.shape, n_classes=len(model.labels))
    try:
        network.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})
    except RuntimeError as error:
        raise ModelFolderError(f"{model.path}: {WEIGHTS} does not match config.toml: {error}") from None
    return network.eval().requires_grad_(False)


def _check_fit(model: Model, weights: Mapping[str, NDArray[np.float32]]) -> None:
    """Compare the shapes of the weights with those of config.toml, before memory is allocated."""
    with torch.device("meta"):
        network = build_network(model.config.model, shape=model.featuriser.shape, n_classes=len(model.labels))
    expected = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    given = {name: value.shape for name, value in weights.items()}
    if wrong := sorted(name for name in {*expected, *given} if expected.get(name) != given.get(name)):
        raise ModelFolderError(f"{model.path}: {WEIGHTS} does not match config.toml: {wrong[0]:.80} differs")


def states_of(network: Network, features: Features) -> tuple[Tensor, Tensor]:
    """Return the states (1, time, width) that the pooler reads of one input, and their mask (1, time)."""
    inputs, mask = tensors_of(pad([features], [0]))
    with torch.inference_mode(), threads_for_work(work_of(network, *mask.shape)):
        states = network.states(network.embed(front_inputs(inputs)), mask, inputs)
    is_read = network.pooled_mask(mask)[0] if sum(network.unpooled) else slice(None)
    return states[:, is_read], mask[:, is_read]


def log_odds(scores: Tensor, target: int) -> Tensor:
    """Return log p − log(1 − p) of a label: (batch, class) to (batch,).

    Unlike p itself it does not saturate. For a single number, it is that number.
    """
    if scores.shape[1] == 1:
        return scores[:, 0]
    others = torch.cat([scores[:, :target], scores[:, target + 1 :]], dim=1)
    return scores[:, target] - others.logsumexp(dim=1)
