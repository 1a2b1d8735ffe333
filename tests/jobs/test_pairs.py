"""`--task pair` from a file to answers."""

from __future__ import annotations

import csv
import json
import random
import shutil

import numpy as np
import pytest

from heedful.cli.main import main
from heedful.config import Config
from heedful.data.columns import Columns
from heedful.errors import DataError, HeedfulError, ModelFolderError
from heedful.jobs.evaluate import evaluate_file
from heedful.jobs.train.train import train_model
from heedful.metrics.correlation import pearson
from heedful.runtime.model import load
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.pair.model import PairModel
from heedful.tasks.pair.read import read_pairs

WORDS = ("dog", "cat", "tree", "house", "river")
FILLERS = ("the", "a", "was", "there", "on")
SETTINGS = {
    "start": "none", "encoder": "static", "embed_width": 16, "n_hops": 2, "attention_width": 12, "batch_size": 16,
    "gate_units": 16, "hidden": 32, "epochs": 12, "patience": 12, "lr": 0.01, "dropout": 0.0, "word_dropout": 0.0,
    "penalty": 0.0,
}  # fmt: skip


def made(n: int, seed: int) -> list[tuple[str, str, str]]:
    """Return pairs of texts with one telling word each: are these the same?"""
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        first = rng.choice(WORDS)
        second = first if rng.random() < 0.5 else rng.choice([w for w in WORDS if w != first])
        texts = []
        for word in (first, second):
            text = rng.choices(FILLERS, k=4)
            text.insert(rng.randrange(5), word)
            texts.append(" ".join(text))
        found.append((*texts, "same" if first == second else "other"))
    return found


def write(path, rows, *, header=("premise", "hypothesis", "label")):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("pairs")
    file = write(home / "train.csv", made(600, 0))
    train_model(Config().with_given(**SETTINGS, task="pair", train=str(file)), home / "model")
    numbers = [(a, b, 4.0 if label == "same" else 1.0) for a, b, label in made(600, 2)]
    scored = write(home / "scored.csv", numbers, header=("sentence1", "sentence2", "score"))
    config = Config().with_given(**SETTINGS, task="pair", answer="number", train=str(scored))
    train_model(config, home / "number")
    write(home / "test.csv", made(60, 1))
    return home


@pytest.fixture(scope="module")
def model(home):
    return load(home / "model", threads=1)


@pytest.fixture(scope="module")
def number(home):
    return load(home / "number", threads=1)


def test_it_learns_what_only_both_texts_tell(model, home):
    assert isinstance(model, PairModel)
    assert model.config.model.head == "gated"
    found = evaluate_file(model, home / "test.csv")
    assert found.n == 60 and found.accuracy > 0.95, "by one text alone it is a coin"
    assert model.names == ("premise", "hypothesis")


def test_pairs_with_texts_that_are_cut_are_counted(tmp_path):
    rows = [(f"{a} on on on on", b, label) for a, b, label in made(40, 3)]
    settings = {**SETTINGS, "epochs": 1, "max_tokens": 5, "task": "pair", "train": str(write(tmp_path / "a.csv", rows))}
    facts = train_model(Config().with_given(**settings), tmp_path / "model").facts
    assert facts.data["cut_texts"] == facts.data["train_texts"] == 36
    found = load(tmp_path / "model", threads=1).explain(("the dog was there on the road", "a dog"))
    assert len(found.first.words) == 5 and found.first.read_to < len(found.first.text)


@pytest.mark.parametrize(("head", "tune"), [("likeness", "answer"), ("likeness", "all"), ("gated", "auto")])
def test_pairs_begin_from_an_encoder(pretrained_folder, tmp_path, head, tune):
    file = write(tmp_path / "a.csv", made(60, 4))
    settings = {"task": "pair", "train": str(file), "start": str(pretrained_folder), "tune": tune, "epochs": 1}
    result = train_model(Config().with_given(**settings, head=head, hidden=9), tmp_path / "model")
    model = load(tmp_path / "model", threads=1)
    assert model.config.model.head == head
    assert [record.epoch for record in result.records] == ([0] if tune == "answer" else [0, 1])
    assert model.config.train.tune == ("all" if head == "gated" else tune), "a gate has nothing to begin with"
    assert model.predict(("a dog", "a cat")) in ("same", "other")


def test_one_pair_and_many_pairs(model):
    pairs = [("the dog was there", "a dog"), ("the dog was there", "a cat")]
    assert model.predict(pairs) == ["same", "other"] == [model.predict(pair) for pair in pairs]
    found = model.predict_proba(pairs)
    assert found.shape == (2, 2) and found.sum(1) == pytest.approx([1, 1])
    np.testing.assert_allclose(model.predict_proba(pairs[0]), found[0], atol=1e-6)
    assert model.predict([]) == []
    assert model.predict([list(pair) for pair in pairs]) == model.predict(np.array(pairs))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["the dog"], "found str 'the dog', expected a pair of texts"),
        ([("a", "b", "c")], "found 3 texts, expected two"),
        ([("a",)], "found 1 text, expected two"),
        ([("a", 3)], "found int 3, expected a text"),
        ([7], "found int 7, expected a pair"),
        ("the dog", "expected a pair of texts"),
    ],
)
def test_what_is_no_pair_is_refused(model, given, said):
    with pytest.raises(HeedfulError, match=said):
        model.predict(given)


def test_a_pair_model_has_no_vectors_and_no_flip(model):
    for name in ("embed", "flip", "self_attention", "looks"):
        with pytest.raises(HeedfulError, match="answers to pairs of texts"):
            getattr(model, name)("the dog")


def test_a_graph_of_pairs_does_not_pass_for_one_of_texts(home, tmp_path, reseal):
    folder = shutil.copytree(home / "model", tmp_path / "another_task")
    config = (folder / "config.toml").read_text(encoding="utf-8")
    assert 'task = "pair"' in config and 'answer = "label"' in config
    (folder / "config.toml").write_text(config.replace('task = "pair"', 'task = "classify"'), encoding="utf-8")
    reseal(folder)
    with pytest.raises(ModelFolderError, match=r"model\.onnx does not fit"):
        load(folder, threads=1)
    (folder / "config.toml").write_text(config.replace('answer = "label"', 'answer = "number"'), encoding="utf-8")
    with pytest.raises(ModelFolderError, match="2 labels, but the task is pair"):
        load(folder, threads=1)


def test_numbers_are_in_their_unit(number, home):
    assert number.answer.is_number and number.labels == ("score",)
    assert number.predict(("the dog", "a dog")) > 3.0 > 2.0 > number.predict(("the dog", "a cat"))
    with pytest.raises(HeedfulError, match="no probability"):
        number.predict_proba(("a", "b"))
    found = evaluate_file(number, home / "scored.csv")
    pairs, _ = read_pairs(home / "scored.csv", Columns(), numbers=True)
    truth = [float(example.label) for example in pairs]
    assert found.pearson == pytest.approx(pearson(truth, number.predict([e.text for e in pairs])))
    assert found.pearson > 0.9 and found.spearman > 0.8


def test_effects_are_those_of_leaving_each_word_out_with_the_other_text_whole(model):
    first, second = "the dog was there", "a dog on"
    found = model.explain((first, second))
    assert isinstance(found, PairExplanation) and found.label == "same"
    place = model.labels.index("same")
    whole = model.predict_proba((first, second))[place]
    for side, (text, other) in enumerate(((first, second), (second, first))):
        words = text.split()
        assert [word.text for word in found.sides[side].words] == words
        for i in range(len(words)):
            rest = " ".join(words[:i] + words[i + 1 :])
            without = model.predict_proba((rest, other) if side == 0 else (other, rest))[place]
            assert found.sides[side].left_out[i] == pytest.approx(whole - without, abs=1e-5)
    assert {word for _, word, _ in found.top(2)} == {"dog"}
    for side in found.sides:
        assert side.weights.sum(axis=1) == pytest.approx([1.0] * len(side.weights), abs=1e-5)


def test_an_explanation_does_not_depend_on_the_others(model):
    pairs = [(a, b) for a, b, _ in made(6, 5)] + [("", "the dog"), ("a dog", "")]
    together = model.explain(pairs)
    for pair, one in zip(pairs, together, strict=True):
        alone = model.explain(pair)
        assert alone.to_dict() == one.to_dict()
        weights = model.explain(pair, methods="attention")
        assert weights.first.effects == {}
        np.testing.assert_allclose(weights.second.weights, one.second.weights, atol=1e-6)


def test_a_label_may_be_asked_about_and_other_methods_are_refused(model):
    asked = model.explain(("the dog", "a dog"), label="other")
    assert asked.label == "same" and asked.target == "other"
    with pytest.raises(HeedfulError, match="gradient is for single texts"):
        model.explain(("the dog", "a dog"), methods="gradient")
    with pytest.raises(HeedfulError, match=r"no label 'sam'.*Did you mean same"):
        model.explain(("the dog", "a dog"), label="sam")


def test_texts_that_are_too_long_have_weights_and_a_note(model, monkeypatch):
    monkeypatch.setattr("heedful.tasks.pair.explain.MOST_CELLS", 30)
    found = model.explain(("dog on the tree", "dog on"))
    assert "for 6 words it would run 36 tokens, and at most 30 are run" in found.first.notes[0]
    assert found.first.effects == {} and len(found.second.words) == 2


def test_strange_labels_are_named_with_their_line(model, tmp_path):
    file = write(tmp_path / "a.csv", [("a dog", "a dog", "same"), ("a dog", "a dog", "equal")])
    with pytest.raises(DataError, match="line 3: label 'equal' is unknown to this model"):
        evaluate_file(model, file)


def test_commands_take_pairs(home, capsys):
    folder, file = str(home / "model"), str(home / "test.csv")
    assert main(["evaluate", folder, file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] > 0.95
    assert main(["predict", folder, "the dog was there", "a dog", "--json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["label"] == "same" and tree["texts"] == ["the dog was there", "a dog"]
    assert main(["predict", folder, file, "-o", str(home / "out.csv"), "-q"]) == 0
    assert (home / "out.csv").read_text().splitlines()[0] == "premise,hypothesis,label,predicted,probability"
    assert main(["explain", folder, "the dog was there", "a dog"]) == 0
    assert "hypothesis" in capsys.readouterr().out
    assert main(["explain", folder, file, "--html", str(home / "page.html")]) == 0
    assert (home / "page.html").read_text().count('class="pair"') == 60
    assert main(["explain", folder, "the dog", "a dog", "--svg", str(home / "pair.svg")]) == 0
    assert main(["info", folder]) == 0
    assert "pair" in capsys.readouterr().out


def test_commands_say_what_a_pair_is(home, capsys):
    folder = str(home / "model")
    assert main(["predict", folder, "the dog"]) == 2
    assert "two texts" in capsys.readouterr().err
    assert main(["audit", folder, str(home / "test.csv")]) == 2
    assert "single inputs" in capsys.readouterr().err
