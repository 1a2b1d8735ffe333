"""An ONNX Runtime session that takes a Batch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from heedful.data.batch import Batch, feed
from heedful.errors import ModelFolderError

# The key of a reference to weights in another file. Our graphs hold all their weights; one that points elsewhere could
# read any file of the machine. Only the word is looked for: protobuf can write the length before it in many ways.
_EXTERNAL = b"location"


class Session:
    """A loaded graph. `defaults` has the inputs that it takes but does not need, with their shapes."""

    def __init__(
        self,
        graph: bytes,
        *,
        outputs: Sequence[str],
        inputs: Sequence[str] = ("ids",),
        threads: int | None = None,
        name: str = "model.onnx",
    ) -> None:
        if _EXTERNAL in graph:
            raise ModelFolderError(f"{name} keeps weights outside its own file, which is not allowed")
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # what is wrong is raised; a line on stderr would say it twice
        if threads is not None:
            options.intra_op_num_threads = threads
        try:
            self._session = onnxruntime.InferenceSession(
                graph, options, providers=["CPUExecutionProvider"], enable_fallback=0
            )  # or it tries again, and prints what it thinks of the graph
        except Exception as error:  # the library has no common class for what it raises
            raise ModelFolderError(f"{name} cannot be loaded: {error}") from None
        found, expected = sorted(value.name for value in self._session.get_inputs()), sorted([*inputs, "lengths"])
        if found != expected:
            raise ModelFolderError(f"{name} takes {', '.join(found)}; expected {', '.join(expected)}")
        if missing := sorted(set(outputs) - {value.name for value in self._session.get_outputs()}):
            raise ModelFolderError(f"{name} does not give {', '.join(missing)}")
        self.defaults = {value.name: value.shape for value in self._session.get_overridable_initializers()}
        self._made_from = (graph, tuple(outputs), tuple(inputs), threads, name)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let scikit-learn copy a fitted estimator: the copy is made from the graph again."""
        graph, outputs, inputs, threads, name = self._made_from
        return partial(Session, outputs=outputs, inputs=inputs, threads=threads, name=name), (graph,)

    def run(self, batch: Batch, outputs: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return the named outputs for a batch."""
        result: list[NDArray[np.float32]] = self._session.run(list(outputs), feed(batch))
        return result
