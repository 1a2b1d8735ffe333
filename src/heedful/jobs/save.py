"""A trained network to a model folder: exported, checked, described."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path

import tomli_w
import torch

from heedful.data.surrogates import without_half_pairs
from heedful.export.decoder import reader_graph, step_graph
from heedful.export.parity import check_parity
from heedful.export.translation_parity import check_translation
from heedful.export.write import onnx_graph
from heedful.store import folder
from heedful.store.card import model_card
from heedful.store.facts import Facts
from heedful.store.seal import seal
from heedful.store.weights import Weights, rounded, weights_file
from heedful.training.loop import FitResult
from heedful.training.prepare import Prepared
from heedful.training.translate import TranslateNetwork


def save_model(out: Path, prepared: Prepared, fit: FitResult, *, overwrite: bool, small: bool = False) -> Facts:
    """Write the best weights seen, and return what is known of them.

    A small model has one byte for each number of its table and two for the others. The network takes the rounded
    numbers too, so that what is checked is what is kept.
    """
    network = prepared.network.cpu()
    weights: Weights = {name: tensor.numpy() for name, tensor in fit.weights.items()}
    if small:
        weights = rounded(weights)
    network.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    graphs, parity = _exported(prepared, weights, small=small)
    best = fit.kept_record
    portable = prepared.config.with_paths(lambda given: os.path.relpath(given, out))
    vocab_name, vocab = folder.featuriser_file(prepared.featuriser)
    records = [record.to_dict() for record in fit.records]
    files = {
        folder.CONFIG: without_half_pairs(tomli_w.dumps(portable.to_dict())).encode(),
        vocab_name: vocab,
        folder.WEIGHTS: weights_file(weights, small=small),
        **graphs,
    }
    facts = Facts(
        labels=prepared.labels,
        n_hops=int(network.pooler.n_hops),
        width=int(network.encoder.width),
        heedful=version("heedful"),
        figures={**best.figures, "loss": best.valid_loss} if best else {},
        data=prepared.facts,
        many=prepared.many,
        parity=parity,
        files=seal(files),
    )
    files |= {
        folder.FACTS: facts.to_json().encode(),
        folder.HISTORY: folder.history_file(records),
        folder.CARD: without_half_pairs(model_card(out.name, portable, facts, records)).encode(),
    }
    folder.write_folder(out, files, overwrite=overwrite)
    return facts


def _exported(prepared: Prepared, weights: Weights, *, small: bool) -> tuple[dict[str, bytes], float]:
    """Return the graphs by the names of their files, and how far they are from the network."""
    settings, network, sample = prepared.config.model, prepared.network, prepared.goal.valid
    if isinstance(network, TranslateNetwork):
        reader, writer = reader_graph(settings, weights), step_graph(settings, weights)
        return {folder.GRAPH: reader, folder.DECODER: writer}, check_translation(network, reader, writer, sample)
    graph = onnx_graph(settings, weights, shape=prepared.featuriser.shape, small=small)
    return {folder.GRAPH: graph}, check_parity(network, graph, sample, small=small)
