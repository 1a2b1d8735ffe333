"""An ONNX Runtime session that takes a Batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from heedful.data.batch import Batch
from heedful.errors import ModelFolderError

# How protobuf writes the key of a reference to weights in another file. Our graphs hold all their weights; one that
# points elsewhere could read any file of the machine.
_EXTERNAL = b"\x0a\x08location"


class Session:
    """A loaded graph."""

    def __init__(self, graph: bytes, *, threads: int | None = None) -> None:
        if _EXTERNAL in graph:
            raise ModelFolderError("model.onnx keeps weights outside its own file, which is not allowed")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        if threads is not None:
            options.intra_op_num_threads = threads
        try:
            self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the library has no common class for what it raises
            raise ModelFolderError(f"model.onnx cannot be loaded: {error}") from None
        inputs = sorted(value.name for value in self._session.get_inputs())
        if inputs != ["ids", "lengths"]:
            raise ModelFolderError(f"model.onnx takes {', '.join(inputs)}; expected ids and lengths")

    def run(self, batch: Batch, outputs: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return the named outputs for a batch."""
        result: list[NDArray[np.float32]] = self._session.run(list(outputs), {"ids": batch.ids, "lengths": batch.lengths})
        return result
