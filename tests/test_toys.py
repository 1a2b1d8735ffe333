"""An input is one folder and a line, a task too: toys of both go all the way without a change in src/."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from tests.toys.dna import INPUT
from tests.toys.ordinal import TASK

import heedful
from heedful.cli.main import main
from heedful.inputs import INPUTS
from heedful.tasks import TASKS

SMALL = ["--units", "8", "--n-hops", "2", "--attention-width", "8", "--epochs", "12", "--lr", "0.02", "--threads", "1"]


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    monkeypatch.setitem(INPUTS, INPUT.name, INPUT)
    monkeypatch.setitem(TASKS, TASK.name, TASK)


@pytest.fixture
def strands(tmp_path):
    """Strands with a T have grade c, others with a G grade b, the rest grade a."""
    rng = random.Random(0)
    rows = []
    for _ in range(150):
        strand = "".join(rng.choices("AC", k=rng.randint(3, 8)))
        grade = rng.choice("abc")
        at = rng.randrange(len(strand))
        rows.append((strand[:at] + {"a": "", "b": "G", "c": "T"}[grade] + strand[at:], grade))
    path = tmp_path / "strands.csv"
    path.write_text("dna,label\n" + "".join(f"{strand},{grade}\n" for strand, grade in rows), encoding="utf-8")
    return path


def trained(strands, out, *more):
    assert main(["train", str(strands), "--input", "dna", "-o", str(out), "-q", *SMALL, *more]) == 0
    return heedful.load(out)


def test_a_toy_input_is_trained_saved_explained_and_drawn(strands, tmp_path, capsys):
    model = trained(strands, tmp_path / "model")
    assert (tmp_path / "model" / "model.onnx").is_file() and (tmp_path / "model" / "input.json").is_file()
    assert model.predict(["AACAT", "ACGA"]) == ["c", "b"]
    explanation = model.explain("AACAT")
    assert [word.text for word in explanation.words] == list("AACAT")
    assert explanation.top(1)[0][0] == "T" and explanation.contributions_to("c").argmax() == 4
    assert explanation.contributions_to("c")[4] > 0
    np.testing.assert_allclose(
        explanation.bias + explanation.contributions.sum(axis=0), model.scores(["AACAT"])[0], atol=1e-5
    )
    assert model.explain("AACAT", methods="leave-one-out").left_out.argmax() == 4
    assert "<svg" in explanation.to_svg() and "for c: T" in str(explanation)
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "model"), str(strands)]) == 0
    assert "150 strands" in capsys.readouterr().out
    assert main(["predict", str(tmp_path / "model"), str(strands), "-o", str(tmp_path / "out.jsonl"), "-q"]) == 0
    assert len((tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()) == 150
    assert "strands" in (capsys.readouterr().out + (main(["info", str(tmp_path / "model")]) or capsys.readouterr().out))


def test_what_is_not_such_an_input_is_one_line_with_its_place(strands, tmp_path, capsys):
    with strands.open("a", encoding="utf-8") as file:
        file.write("AXC,a\n")
    assert main(["train", str(strands), "--input", "dna", "-o", str(tmp_path / "model"), "-q", *SMALL]) == 2
    assert "strands.csv, line 152: 'AXC' is not a strand of DNA" in capsys.readouterr().err


def test_a_toy_task_is_trained_evaluated_and_explained(strands, tmp_path, capsys):
    model = trained(strands, tmp_path / "model", "--task", "ordinal")
    assert type(model).__name__ == "OrdinalModel" and model.grade("AACAT") == 2
    assert model.config.task == "ordinal" and model.config.model.dropout == 0.0
    assert "A grader of each dna made by heedful" in (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert model.explain("AACAT").label == "c"
    with pytest.raises(heedful.HeedfulError, match="gives each input a grade"):
        heedful.audit(model, strands)
    capsys.readouterr()
    assert main(["evaluate", str(tmp_path / "model"), str(strands), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mean_distance"] < 0.2


def test_a_toy_task_of_texts_starts_from_scratch(tmp_path, capsys):
    path = tmp_path / "texts.csv"
    path.write_text("text,label\n" + "good day,b\nbad day,a\n" * 30, encoding="utf-8")
    assert main(["train", str(path), "--task", "ordinal", "-o", str(tmp_path / "model"), *SMALL]) == 0
    assert "no encoder comes with heedful for task ordinal" in capsys.readouterr().err
    assert heedful.load(tmp_path / "model").predict("bad day") == "a"
