"""Saving a trained network as a model folder: export, check, describe."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import tomli_w
import torch
from torch import Tensor

from heedful import __version__
from heedful.files.unicode import without_lone_surrogates
from heedful.jobs.train.measure_saved import check_same, judge_network, judge_saved
from heedful.lazy import imported
from heedful.network.parity import check_parity
from heedful.network.write import onnx_graph
from heedful.store import folder
from heedful.store.cards.card import model_card
from heedful.store.digests import seal
from heedful.store.metadata import Facts
from heedful.store.weights import Weights, rounded, weights_file
from heedful.tasks import task_of
from heedful.training.goal import Judged
from heedful.training.history import EpochRecord
from heedful.training.loop.trainer import FitResult
from heedful.training.setup import Prepared


def save_model(
    out: Path,
    prepared: Prepared,
    fit: FitResult,
    *,
    overwrite: bool,
    small: bool = False,
    measured: Mapping[str, Tensor] | None = None,
) -> Facts:
    """Write the best weights seen, and return the model's facts.

    Metrics are measured on the saved folder after loading it again. `measured` holds other weights to measure if those
    of `fit` have been trained on the validation set. A small model has one byte for each number of its embedding table
    and two for the others; the network takes the rounded numbers too, so that the check is of the saved numbers.
    """
    prepared.goal.to(torch.device("cpu"))
    judged = None
    if measured is not None:
        judged = _judged(_export(out, prepared, replace(fit, weights=measured), small=small), fit.kept_record)
    exported = _export(out, prepared, fit, small=small)
    again = _judged(exported, None if measured is not None or small or fit.is_calibrated else fit.kept_record)
    files, facts = exported.files(judged or again)
    folder.write_folder(out, files, overwrite=overwrite)
    return facts


@dataclass(frozen=True)
class _Exported:
    """A network in the form in which it is written."""

    out: Path
    prepared: Prepared
    weights: Weights
    records: Sequence[EpochRecord]
    graphs: Mapping[str, bytes]
    parity: float
    small: bool

    def files(self, judged: Judged | None = None) -> tuple[dict[str, bytes], Facts]:
        """Return the content of each file of the folder, with these metrics."""
        prepared = self.prepared
        unit = prepared.goal.inside.unit
        portable = prepared.config.with_paths(lambda given: os.path.relpath(given, self.out))
        records = [record.to_dict() for record in self.records]
        files = {
            folder.CONFIG: without_lone_surrogates(tomli_w.dumps(portable.to_dict())).encode(),
            **folder.featuriser_files(prepared.featuriser),
            folder.WEIGHTS: weights_file(self.weights, small=self.small),
            **self.graphs,
        }
        facts = Facts(
            labels=prepared.labels,
            n_hops=int(prepared.network.pooler.n_hops),
            width=int(prepared.network.encoder.width),
            heedful=__version__,
            metrics={**judged.metrics, "loss": judged.loss} if judged else {},
            data=prepared.facts,
            is_multilabel=prepared.many,
            parity=self.parity,
            unit=unit.to_dict() if unit else None,
            trained_on=prepared.trained_on,
            files=seal(files),
        )
        files |= {
            folder.FACTS: facts.to_json().encode(),
            folder.HISTORY: folder.history_file(records),
            folder.CARD: without_lone_surrogates(model_card(self.out.name, portable, facts, records)).encode(),
        }
        return files, facts


def _export(out: Path, prepared: Prepared, fit: FitResult, *, small: bool) -> _Exported:
    """Load the weights into the network, and export its graphs."""
    weights: Weights = {name: tensor.cpu().numpy() for name, tensor in fit.weights.items()}
    if small:
        weights = rounded(weights)
    prepared.network.cpu().load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    graphs, parity = _exported(prepared, weights, small=small)
    return _Exported(out, prepared, weights, fit.records, graphs, parity, small)


def _judged(exported: _Exported, record: EpochRecord | None) -> Judged:
    """Write a temporary folder, load it, and return its metrics; raise if the network's differ.

    `record` has the metrics of these weights in training. Without it, the network is evaluated again.
    """
    goal, config = exported.prepared.goal, exported.prepared.config
    with TemporaryDirectory(prefix="heedful-") as home:
        path = Path(home) / "model"
        folder.write_folder(path, exported.files()[0])
        saved = judge_saved(path, goal, threads=config.train.threads or None)
    trained = record.valid_loss if record is not None else judge_network(exported.prepared.network, goal).loss
    check_same(trained, saved.loss)
    return saved


def _exported(prepared: Prepared, weights: Weights, *, small: bool) -> tuple[dict[str, bytes], float]:
    """Return the graphs by file name, and their largest difference from the network."""
    if make := task_of(prepared.config).graphs:
        graphs: tuple[dict[str, bytes], float] = imported(make)(prepared, weights)
        return graphs
    network, sample = prepared.network, prepared.goal.valid
    graph = onnx_graph(prepared.config.model, weights, shape=prepared.featuriser.shape, small=small)
    return {folder.GRAPH: graph}, check_parity(network, graph, sample, small=small)
