"""An ONNX Runtime session that takes a Batch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from heedful.data.batch import Batch
from heedful.errors import ModelFolderError

# The key of a reference to weights in another file. Our graphs hold all their weights; one that points elsewhere could
# read any file of the machine. Only the word is looked for: protobuf can write the length before it in many ways.
_EXTERNAL = b"location"


class Session:
    """A loaded graph."""

    def __init__(self, graph: bytes, *, outputs: Sequence[str], threads: int | None = None) -> None:
        if _EXTERNAL in graph:
            raise ModelFolderError("model.onnx keeps weights outside its own file, which is not allowed")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # what is wrong is raised; a line on stderr would say it twice
        if threads is not None:
            options.intra_op_num_threads = threads
        try:
            self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the library has no common class for what it raises
            raise ModelFolderError(f"model.onnx cannot be loaded: {error}") from None
        inputs = sorted(value.name for value in self._session.get_inputs())
        if inputs != ["ids", "lengths"]:
            raise ModelFolderError(f"model.onnx takes {', '.join(inputs)}; expected ids and lengths")
        if missing := sorted(set(outputs) - {value.name for value in self._session.get_outputs()}):
            raise ModelFolderError(f"model.onnx does not give {', '.join(missing)}")
        self._made_from = (graph, tuple(outputs), threads)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let scikit-learn copy a fitted estimator: the copy is made from the graph again."""
        graph, outputs, threads = self._made_from
        return partial(Session, outputs=outputs, threads=threads), (graph,)

    def run(self, batch: Batch, outputs: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return the named outputs for a batch."""
        result: list[NDArray[np.float32]] = self._session.run(
            list(outputs), {"ids": batch.ids, "lengths": batch.lengths}
        )
        return result
