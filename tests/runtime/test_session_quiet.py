"""ONNX Runtime prints nothing of its own about a graph that it cannot take."""

from __future__ import annotations

import onnxruntime
import pytest

from heedful.errors import ModelFolderError
from heedful.runtime.session import Session


def test_a_graph_that_cannot_be_taken_is_one_error_and_nothing_is_printed(monkeypatch, capfd):
    def refuse(*_, **__):
        raise RuntimeError("no such provider")

    monkeypatch.setattr(onnxruntime.InferenceSession, "_create_inference_session", refuse)
    with pytest.raises(ModelFolderError):
        Session(b"", outputs=("scores",))
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")
