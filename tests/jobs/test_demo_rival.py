"""The demo without scikit-learn announces no comparison, and says why there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

import heedful.jobs.demo as demo
from heedful.cli.commands.demo import _tell
from heedful.jobs.demo import DemoResult
from heedful.tasks.classify.metrics import metrics_of_scores
from heedful.training.history import NoteEvent


class Reached(Exception):  # noqa: N818
    pass


def stop(*_, **__):
    raise Reached


@pytest.mark.parametrize("is_there", [True, False])
def test_the_comparison_is_announced_only_where_it_is_made(monkeypatch, tmp_path, is_there):
    monkeypatch.setattr(demo, "find_spec", lambda _: object() if is_there else None)
    monkeypatch.setattr(demo, "train_model", lambda *_, **__: None)
    monkeypatch.setattr(demo, "load", lambda *_, **__: None)
    monkeypatch.setattr(demo, "evaluate_examples", stop)
    events: list[NoteEvent] = []
    with pytest.raises(Reached):
        demo.run_demo(tmp_path, watcher=events.append)
    assert (", next to tf-idf" in events[-1].message) == is_there
    assert ("without scikit-learn" in events[-1].message) != is_there


def test_the_row_says_that_it_was_not_measured(capsys):
    import numpy as np

    figures = metrics_of_scores(np.array([0, 1]), np.eye(2, dtype=np.float32), ("a", "b"))
    _tell(DemoResult(Path("m"), Path("r"), Path("a"), figures, None, [], 1.0))
    assert "not measured: scikit-learn is not installed" in capsys.readouterr().out
