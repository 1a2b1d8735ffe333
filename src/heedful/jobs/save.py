"""A trained network to a model folder: exported, checked, described."""

from __future__ import annotations

import os
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

import safetensors.numpy
import tomli_w

from heedful.export.parity import check_parity
from heedful.export.write import onnx_graph
from heedful.store import folder
from heedful.store.card import model_card
from heedful.store.facts import Facts
from heedful.training.loop import FitResult
from heedful.training.prepare import Prepared


def save_model(out: Path, prepared: Prepared, fit: FitResult, *, overwrite: bool) -> Facts:
    """Write the best weights seen, and return what is known of them."""
    network = prepared.network.cpu()
    network.load_state_dict(dict(fit.weights))
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    graph = onnx_graph(prepared.config.model, weights)
    best = fit.best_record
    facts = Facts(
        labels=prepared.labels,
        n_hops=int(network.pooler.n_hops),
        width=int(network.encoder.width),
        heedful=version("heedful"),
        figures={"accuracy": best.accuracy, "macro_f1": best.macro_f1, "loss": best.valid_loss} if best else {},
        data=prepared.facts,
        parity=check_parity(network, graph, prepared.valid.features),
    )
    portable = prepared.config.with_paths(lambda given: os.path.relpath(given, out))
    vocab_name, vocab = folder.featuriser_file(prepared.featuriser)
    records = [asdict(record) for record in fit.records]
    files = {
        folder.CONFIG: tomli_w.dumps(portable.to_dict()).encode(),
        folder.FACTS: facts.to_json().encode(),
        vocab_name: vocab,
        folder.WEIGHTS: safetensors.numpy.save(weights),
        folder.GRAPH: graph,
        folder.HISTORY: folder.history_file(records),
        folder.CARD: model_card(out.name, portable, facts, records).encode(),
    }
    folder.write_folder(out, files, overwrite=overwrite)
    return facts
