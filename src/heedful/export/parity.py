"""Does ONNX Runtime give what torch gives?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnxruntime
import torch

from heedful.data.batch import Batch, pad
from heedful.data.featurise import Ids
from heedful.errors import HeedfulError
from heedful.layers.masks import mask_of
from heedful.training.network import Network

LIMIT = 1e-4


def check_parity(network: Network, graph: bytes, features: Sequence[Ids]) -> float:
    """Return the largest difference over some texts, an empty one among them; raise where it is too large."""
    sample = [*features[:15], np.array([], dtype=np.int32)]
    batch = pad(sample, range(len(sample)))
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    theirs = session.run(["scores", "rows", "weights"], {"ids": batch.ids, "lengths": batch.lengths})
    ours = _torch_run(network, batch)
    worst = max(float(np.abs(a - b).max(initial=0.0)) for a, b in zip(ours, theirs, strict=True))
    if not worst <= LIMIT:
        raise HeedfulError(f"the exported graph differs from the trained network by {worst:g}, more than {LIMIT:g}")
    return worst


def _torch_run(network: Network, batch: Batch) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    network.eval()
    with torch.inference_mode():
        ids, lengths = torch.from_numpy(batch.ids), torch.from_numpy(batch.lengths)
        output = network(ids, mask_of(lengths, ids.shape[1]))
    return [output.scores.numpy(), output.rows.numpy(), output.weights.numpy()]
