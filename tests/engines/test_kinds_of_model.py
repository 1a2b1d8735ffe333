"""Models that read other things than one text: molecules, pairs of texts; and those that no row can hold."""

from __future__ import annotations

import json

import pytest

import heedful
from heedful.config import Config
from heedful.engines.reading.columns import check_input
from heedful.engines.request import Work
from heedful.errors import HeedfulError

PREDICT = Work("predict")


def test_a_molecule_that_is_none_is_set_aside(go, tmp_path, rows_of, bad_of):
    pytest.importorskip("rdkit.Chem")
    rows = "".join(f"{'C' * i}O,alcohol\n{'C' * i}N,amine\n" for i in range(1, 8)) * 3
    (tmp_path / "train.csv").write_text("smiles,kind\n" + rows)
    settings = {"input": "molecule", "units": 8, "inner_units": 8, "n_hops": 2, "row_units": 4, "epochs": 1}
    model = heedful.train(tmp_path / "train.csv", tmp_path / "model", **settings)
    (tmp_path / "new.csv").write_text("id,smiles\n1,CCO\n2,no molecule\n3,CCN\n")
    go(tmp_path / "new.csv", model=model, work=PREDICT)
    found = rows_of(tmp_path / "out")
    assert [(row["id"], row["predicted"]) for row in found] == list(
        zip("13", model.predict(["CCO", "CCN"]), strict=True)
    )
    (bad,) = bad_of(tmp_path / "out")
    assert bad["row"] == 3 and "no molecule" in bad["reason"]


def test_pairs_stand_in_two_columns(go, tmp_path, rows_of, bad_of):
    pairs = [(a, b, "same" if a == b else "other") for a in ("dog", "cat", "tree") for b in ("dog", "cat", "tree")] * 6
    records = "".join(json.dumps({"first": a, "second": b, "label": label}) + "\n" for a, b, label in pairs)
    (tmp_path / "train.jsonl").write_text(records)
    settings = {"task": "pair", "start": "none", "encoder": "static", "embed_width": 8, "n_hops": 2, "epochs": 1}
    model = heedful.train(tmp_path / "train.jsonl", tmp_path / "model", **settings)
    (tmp_path / "new.jsonl").write_text('{"first": "dog", "second": "cat"}\n{"first": "dog", "second": null}\n')
    go(tmp_path / "new.jsonl", model=model, work=PREDICT)
    assert [row["predicted"] for row in rows_of(tmp_path / "out")] == model.predict([("dog", "cat")])
    assert [row["reason"] for row in bad_of(tmp_path / "out")] == ["second is None, expected a text"]


def test_models_whose_input_is_a_file_are_refused():
    with pytest.raises(HeedfulError, match="m reads audio; engines run models that read text or molecule"):
        check_input(Config().changed(input="audio"), "m")


def test_an_encoder_has_no_answers(pretrained):
    with pytest.raises(HeedfulError, match="makes vectors and has no labels"):
        PREDICT.check(pretrained)
