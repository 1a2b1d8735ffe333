"""Many labels at once, some unknown, from the file to the heatmap."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from heedful import HeedfulError, load
from heedful.cli.main import main
from heedful.config import Config
from heedful.errors import DataError
from heedful.jobs.train.train import train_model
from heedful.metrics.correlation import roc_auc
from heedful.tasks.multilabel.metrics import UNKNOWN, multilabel_metrics, truth_of

SIGNS = {"late": "delivery", "broken": "quality", "rude": "service"}
FILLERS = ["the", "parcel", "came", "on", "monday", "and", "it", "was", "for", "my", "sister"]
SETTINGS = {
    "start": "none", "encoder": "static", "embed_width": 16, "n_hops": 3, "attention_width": 12, "batch_size": 16,
    "epochs": 15, "patience": 15, "lr": 0.01, "dropout": 0.0, "word_dropout": 0.0, "penalty": 0.0,
}  # fmt: skip


def lines(n: int, seed: int, *, unknown: float = 0.0) -> str:
    rng = random.Random(seed)
    rows = ["text,delivery,quality,service"]
    for _ in range(n):
        present = [sign for sign in SIGNS if rng.random() < 0.4]
        words = rng.choices(FILLERS, k=6) + present
        rng.shuffle(words)
        cells = ["" if rng.random() < unknown else str(int(sign in present)) for sign in SIGNS]
        rows.append(",".join([" ".join(words), *cells]))
    return "\n".join(rows) + "\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("many")
    (home / "train.csv").write_text(lines(500, 0, unknown=0.3))
    (home / "test.csv").write_text(lines(80, 1))
    config = Config().changed(**SETTINGS, train=str(home / "train.csv"), label="delivery,quality,service")
    train_model(config, home / "model")
    return home


@pytest.fixture(scope="module")
def model(home):
    return load(home / "model", threads=1)


def test_each_label_is_answered_by_itself(model):
    assert model.task.name == "multilabel"
    assert model.labels == ("delivery", "quality", "service")
    assert model.predict("the late parcel came broken") == ("delivery", "quality")
    assert model.predict("the parcel came on monday") == ()
    assert set(model.predict("late broken rude")) == set(model.labels)
    assert model.predict_proba("late broken rude").sum() > 2


def test_evaluate_gives_the_area_under_the_curve_of_each(home, capsys):
    assert main(["evaluate", str(home / "model"), str(home / "test.csv"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["roc_auc"] > 0.99
    assert [one["label"] for one in found["labels"]] == ["delivery", "quality", "service"]
    assert main(["evaluate", str(home / "model"), str(home / "test.csv")]) == 0
    assert "ROC-AUC" in capsys.readouterr().out


def test_predict_names_all_labels_that_are_more_probable_than_not(home, capsys, tmp_path):
    assert main(["predict", str(home / "model"), "late and rude", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["labels"] == ["delivery", "service"]
    assert main(["predict", str(home / "model"), str(home / "test.csv"), "-o", str(tmp_path / "out.csv"), "-q"]) == 0
    assert "p(quality)" in (tmp_path / "out.csv").read_text().splitlines()[0]


def test_a_word_is_explained_for_the_label_asked_about(model):
    found = model.explain("the late parcel came broken", label="quality", methods="leave-one-out")
    assert found.target == "quality"
    assert found.top(1, method="leave-one-out")[0][0] == "broken"


@pytest.mark.parametrize(("label", "word"), [("quality", "broken"), ("delivery", "late")])
def test_the_word_that_makes_a_label_adds_most_to_its_score(model, label, word):
    text = "the late parcel came broken"
    found = model.explain(text, label=label)
    (top, added), (_, next_added) = found.top(2)
    assert top == word and added > 0 and added > 2 * next_added
    total = found.bias + found.contributions.sum(axis=0)
    np.testing.assert_allclose(total, model.scores([text])[0], atol=1e-5)
    np.testing.assert_allclose(1 / (1 + np.exp(-total)), model.predict_proba(text), atol=1e-5)
    absent = found.contributions_to("service")
    assert absent.sum() + found.bias[found.labels.index("service")] < 0  # no word speaks for it


def test_a_cell_that_is_neither_yes_nor_no_is_named_with_its_line(tmp_path):
    (tmp_path / "bad.csv").write_text("text,a,b\nx,1,0\ny,perhaps,1\n")
    config = Config().changed(**SETTINGS, train=str(tmp_path / "bad.csv"), label="a,b")
    with pytest.raises(DataError, match="line 3: a is 'perhaps', expected 1, 0 or nothing"):
        train_model(config, tmp_path / "model")


def test_the_area_is_how_often_a_yes_is_above_a_no():
    rng = np.random.default_rng(0)
    yes, scores = rng.random(60) < 0.4, rng.integers(0, 8, 60).astype(float)
    pairs = [(a > b) + 0.5 * (a == b) for a in scores[yes] for b in scores[~yes]]
    assert roc_auc(yes, scores) == pytest.approx(np.mean(pairs))
    assert np.isnan(roc_auc(np.ones(3, dtype=bool), np.arange(3.0)))


def test_unknown_answers_count_for_nothing():
    truth = truth_of([["1", ""], ["0", "1"], ["", "0"]])
    assert truth.tolist() == [[1, UNKNOWN], [0, 1], [UNKNOWN, 0]]
    found = multilabel_metrics(truth, np.array([[0.9, 0.0], [0.2, 0.8], [0.0, 0.3]]), ["a", "b"])
    assert (found.roc_auc, found.accuracy) == (1.0, 1.0)
    assert found.loss == pytest.approx(-np.mean(np.log([0.9, 0.8, 0.8, 0.7])))


def test_there_is_no_one_answer_to_flip(model):
    with pytest.raises(HeedfulError, match="answers many questions at once"):
        model.flip("the late parcel came broken")


def test_many_labels_are_learned_from_an_encoder_that_knows_english(tmp_path):
    (tmp_path / "some.csv").write_text(lines(120, 3, unknown=0.2))
    config = Config().with_given(train=str(tmp_path / "some.csv"), label="delivery,quality,service", threads=1)
    result = train_model(config, tmp_path / "model")
    assert result.best is not None
    assert result.best.metrics["roc_auc"] > 0.9
    assert load(tmp_path / "model", threads=1).predict("it was late and broken") == ("delivery", "quality")
