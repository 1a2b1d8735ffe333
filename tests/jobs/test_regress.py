"""Models whose answer is a number, from the file to the heatmap."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from heedful import HeedfulError, load
from heedful.cli.main import main
from heedful.config import Config
from heedful.data.example import Example
from heedful.explain.attention.flip import find_flip
from heedful.jobs.train.train import train_model
from heedful.store.unit import Unit
from heedful.tasks.regress.goal import Scale
from heedful.tasks.regress.metrics import regression_metrics
from heedful.tasks.regress.ridge import fit_ridge

WORTH = {"great": 20.0, "good": 10.0, "poor": -10.0, "awful": -20.0}
FILLERS = ["the", "parcel", "came", "on", "monday", "and", "it", "was", "for", "my", "sister"]
SETTINGS = {
    "start": "none", "encoder": "static", "embed_width": 16, "n_hops": 2, "attention_width": 12, "batch_size": 16,
    "epochs": 12, "patience": 12, "lr": 0.01, "dropout": 0.0, "word_dropout": 0.0, "penalty": 0.0,
}  # fmt: skip


def made(n: int, seed: int) -> list[Example]:
    """Return texts of filler words and one that tells; the number is about 1,000."""
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        words, sign = rng.choices(FILLERS, k=6), rng.choice(list(WORTH))
        words.insert(rng.randrange(7), sign)
        found.append(Example(" ".join(words), str(1000 + WORTH[sign])))
    return found


def write(path, examples):
    path.write_text("text,price\n" + "".join(f"{e.text},{e.label}\n" for e in examples), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("regress")
    file = write(home / "train.csv", made(500, 0))
    train_model(Config().changed(**SETTINGS, task="regress", train=str(file), label="price"), home / "model")
    write(home / "test.csv", made(60, 1))
    return home


@pytest.fixture(scope="module")
def model(home):
    return load(home / "model", threads=1)


def test_it_learns_numbers_in_their_own_unit(model):
    test = made(60, 1)
    found = regression_metrics([float(e.label) for e in test], model.predict([e.text for e in test]))
    assert found.rmse < 4.0, "the spread of the truth is 16"
    assert found.spearman > 0.9
    assert model.facts.metrics["rmse"] < 4.0
    assert model.labels == ("price",)


def test_one_text_gives_one_number(model):
    assert isinstance(model.predict("it was great"), float)
    assert model.predict("it was great") > model.predict("it was awful")


def test_there_are_no_probabilities_and_no_other_label(model, home):
    with pytest.raises(HeedfulError, match="a number, which has no probability"):
        model.predict_proba("it was great")
    with pytest.raises(HeedfulError, match="answers with a number"):
        find_flip(model, "it was great")
    assert main(["audit", str(home / "model"), str(home / "test.csv")]) == 2


def test_effects_are_differences_of_the_number(model):
    text = "the parcel was great on monday"
    explanation = model.explain(text, methods=("leave-one-out", "gradient", "integrated"))
    words = text.split()
    for i in range(len(words)):
        without = model.predict(" ".join(words[:i] + words[i + 1 :]))
        assert explanation.left_out[i] == pytest.approx(model.predict(text) - without, abs=1e-2)
    assert max(zip(explanation.left_out, words, strict=True))[1] == "great"
    tree = explanation.to_dict()
    assert tree["value"] == pytest.approx(model.predict(text), abs=1e-2)
    assert "probabilities" not in tree
    page = explanation.to_html()
    assert "lower the number is without this word" in page
    assert "price" in page


def test_commands_take_numbers(home, capsys):
    folder, file = str(home / "model"), str(home / "test.csv")
    assert main(["evaluate", folder, file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rmse"] < 4.0
    assert main(["evaluate", folder, file]) == 0
    assert "RMSE" in capsys.readouterr().out
    assert main(["predict", folder, "it was great", "--json"]) == 0
    assert 1000 < json.loads(capsys.readouterr().out)["price"] < 1040
    assert main(["predict", folder, file, "-o", str(home / "out.csv"), "-q"]) == 0
    assert (home / "out.csv").read_text().splitlines()[0] == "text,price,predicted"
    assert main(["explain", folder, "it was great"]) == 0
    assert "price (10" in capsys.readouterr().out
    assert main(["info", folder]) == 0
    assert "regress: price" in capsys.readouterr().out
    assert "RMSE" in (home / "model" / "README.md").read_text(encoding="utf-8")


def test_what_is_no_number_is_named_with_its_line(tmp_path, capsys):
    file = write(tmp_path / "bad.csv", [*made(5, 0), Example("it came", "cheap")])
    arguments = ["train", str(file), "--label", "price", "--task", "regress", "-o", str(tmp_path / "m"), "-q"]
    assert main(arguments) == 2
    assert "bad.csv, line 7: price is 'cheap', expected a number" in capsys.readouterr().err


def test_numbers_that_are_all_equal_are_refused(tmp_path, capsys):
    file = write(tmp_path / "flat.csv", [Example("it came", "3")] * 9)
    assert main(["train", str(file), "--label", "price", "--task", "regress", "-o", str(tmp_path / "m"), "-q"]) == 2
    assert "two numbers or more" in capsys.readouterr().err


@pytest.mark.slow
def test_few_texts_begin_from_the_shipped_encoder(tmp_path):
    """A ridge regression on its vectors; the numbers are in their own unit."""
    file = write(tmp_path / "few.csv", made(120, 3))
    result = train_model(Config().changed(task="regress", train=str(file), label="price"), tmp_path / "model")
    model = load(tmp_path / "model", threads=1)
    assert model.config.train.start == "en-base"
    assert result.best.metrics["spearman"] > 0.5
    assert 960 < model.predict("the parcel was great on monday") < 1040


def test_figures_are_those_by_hand():
    found = regression_metrics([1.0, 2.0, 3.0, 6.0], [1.0, 2.0, 4.0, 4.0])
    assert found.rmse == pytest.approx(np.sqrt(5 / 4))
    assert found.mae == pytest.approx(3 / 4)
    assert found.r2 == pytest.approx(1 - 5 / 14)
    assert found.spearman == pytest.approx(0.9486832980505138)


def test_the_unit_is_that_of_the_truth(tmp_path):
    truth = np.array([10.0, 20.0, 60.0])
    scale = Scale.of(truth)
    unit = Unit(scale.mean, scale.spread)
    assert unit.numbers(np.zeros((1, 1), np.float32))[0, 0] == pytest.approx(30.0)
    assert unit.numbers(np.ones((1, 1), np.float32))[0, 0] == pytest.approx(30.0 + truth.std())


@pytest.mark.parametrize(("offset", "step"), [(1_763_400_000, 60), (10**12, 1), (0, 1e-9), (-1e15, 2)])
def test_large_numbers_close_together_stay_apart(tmp_path, capsys, offset, step):
    rows = [(("bad", "good")[i % 2], repr(float(offset + step * (i % 2)))) for i in range(40)]
    file = write(tmp_path / "in.csv", [Example(*row) for row in rows])
    config = Config().changed(**SETTINGS | {"epochs": 60, "patience": 60, "lr": 0.02}, task="regress", train=str(file))
    result = train_model(config.changed(label="price"), tmp_path / "model")
    assert result.best.metrics["rmse"] < step / 4
    assert main(["evaluate", str(tmp_path / "model"), str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rmse"] == pytest.approx(result.best.metrics["rmse"], rel=0.5, abs=step / 20)
    assert main(["predict", str(tmp_path / "model"), "good", "bad", "--json"]) == 0
    good, bad = (json.loads(line)["price"] for line in capsys.readouterr().out.splitlines())
    assert good - bad == pytest.approx(step, rel=0.3)
    explained = load(tmp_path / "model").explain("good", methods=("leave-one-out", "gradient"))
    assert explained.to_dict()["value"] == pytest.approx(good, abs=step / 10)
    assert abs(explained.left_out[0]) < 10 * step
    assert load(tmp_path / "model").facts.metrics["rmse"] == pytest.approx(found["rmse"], abs=step / 1000)


def test_a_folder_without_a_unit_gives_what_its_graph_gives(model, home, tmp_path):
    old = Path(shutil.copytree(home / "model", tmp_path / "old"))
    facts = json.loads((old / "facts.json").read_text())
    unit = Unit.of(facts.pop("unit"))
    (old / "facts.json").write_text(json.dumps(facts))
    score = load(old).predict("it was great")
    assert model.predict("it was great") == pytest.approx(score * unit.factor + unit.offset)
    assert abs(score) < 5


@pytest.mark.parametrize("unit", [{"offset": 1.0}, {"offset": 1.0, "factor": "x"}, [], {"offset": 1.0, "factor": 0.0}])
def test_a_unit_that_is_none_is_refused(home, tmp_path, unit):
    damaged = Path(shutil.copytree(home / "model", tmp_path / "damaged"))
    facts = json.loads((damaged / "facts.json").read_text()) | {"unit": unit}
    (damaged / "facts.json").write_text(json.dumps(facts))
    with pytest.raises(HeedfulError):
        load(damaged)


def test_the_ridge_is_that_of_scikit_learn():
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(0)
    x = rng.standard_normal((200, 8)).astype(np.float32)
    y = x @ rng.standard_normal(8) + 3.0 + rng.standard_normal(200) * 0.01
    weight, bias = fit_ridge(x, y)
    expected = linear.Ridge(alpha=0.001).fit(x, y)
    np.testing.assert_allclose(weight[0].numpy(), expected.coef_, atol=1e-3)
    assert float(bias) == pytest.approx(float(expected.intercept_), abs=1e-3)
