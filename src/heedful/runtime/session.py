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
from heedful.store.graph_check.cost import check_graph

# A thread that has nothing to do sleeps. Spinning, it takes the time of the thread it waits for: our graphs are small,
# and with spinning they took twice the processor time, and on a busy machine up to five times as long.
NO_SPINNING = ("session.intra_op.allow_spinning", "0")


class Session:
    """A loaded graph. `defaults` has the optional inputs with their shapes, `outputs` the names of all results."""

    def __init__(
        self,
        graph: bytes,
        *,
        outputs: Sequence[str],
        inputs: Sequence[str] = ("ids",),
        threads: int | None = None,
        name: str = "model.onnx",
    ) -> None:
        check_graph(graph, name=name)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # what is wrong is raised; a line on stderr would say it twice
        options.add_session_config_entry(*NO_SPINNING)
        if threads is not None:
            options.intra_op_num_threads = threads
        try:
            self._session = onnxruntime.InferenceSession(
                graph, options, providers=["CPUExecutionProvider"], enable_fallback=0
            )  # or it tries again, and prints what it thinks of the graph
        except Exception as error:  # the library has no common class for what it raises
            raise ModelFolderError(f"{name} cannot be loaded: {_message(error)}") from None
        names, expected = sorted(value.name for value in self._session.get_inputs()), sorted([*inputs, "lengths"])
        if names != expected:
            raise ModelFolderError(f"{name} takes {', '.join(names):.200}; expected {', '.join(expected)}")
        self.outputs = frozenset(value.name for value in self._session.get_outputs())
        if missing := sorted(set(outputs) - self.outputs):
            raise ModelFolderError(f"{name} does not give {', '.join(missing)}")
        self.defaults = {value.name: value.shape for value in self._session.get_overridable_initializers()}
        self._made_from = (graph, tuple(outputs), tuple(inputs), threads, name)

    def __reduce__(self) -> tuple[Any, ...]:
        """Support copies of a fitted estimator in scikit-learn: a copy loads the graph again."""
        graph, outputs, inputs, threads, name = self._made_from
        return partial(Session, outputs=outputs, inputs=inputs, threads=threads, name=name), (graph,)

    def run(self, batch: Batch, outputs: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return the named outputs for a batch."""
        try:
            result: list[NDArray[np.float32]] = self._session.run(list(outputs), feed(batch))
        except Exception as error:  # the library has no common class for what it raises
            raise ModelFolderError(f"{self._made_from[-1]} cannot be run: {_message(error)}") from None
        return result


def _message(error: Exception) -> str:
    """Return the library's message in one line. Names in a graph may contain any characters."""
    return " ".join(str(error).split())[:300]
