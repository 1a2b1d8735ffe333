"""A tagger that begins from an encoder of texts."""

from pathlib import Path

import numpy as np
import pytest

import heedful.jobs.train.choose_start as choosing
from heedful.api.train import train
from heedful.config import Config
from heedful.errors import ConfigError, ModelFolderError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT
from heedful.runtime.model import load
from heedful.store.folder import WEIGHTS, read_folder
from heedful.store.weights import read_weights
from heedful.tasks.tag.start import EncoderTagStart, TagStart, tag_start
from heedful.training.resolve import resolve

TINY = {"task": "tag", "units": 8, "letters": 6, "epochs": 4, "lr": 0.03, "dropout": 0.0, "crf": True}
TEXT = "Mr Kim saw Oslo."
LABELS = ("O", "B-per", "O", "B-loc", "O")


def write(path: Path, *, names=("Kim", "Ada", "Bo"), places=("Oslo", "Rome", "Paris")) -> Path:
    rows = [["Mr", name, "saw", place, "."] for name in names for place in places] * 4
    text = "".join("".join(f"{t}\t{g}\n" for t, g in zip(row, LABELS, strict=True)) + "\n" for row in rows)
    path.write_text("token\ttag\n\n" + text, encoding="utf-8")
    return path


def start_of(folder: Path) -> TagStart:
    stored = read_folder(folder)
    return tag_start(str(folder), stored.config, stored.featuriser, read_weights(folder / WEIGHTS), stored.facts.labels)


def begin(monkeypatch, start: TagStart, *args, **settings):
    monkeypatch.setattr(choosing, "choose_start", lambda *_, **__: (start, ""))
    return train(*args, start=start.name, **settings)


@pytest.fixture
def model(monkeypatch, pretrained_folder, tmp_path):
    data = write(tmp_path / "train.tsv")
    return begin(monkeypatch, start_of(pretrained_folder), data, tmp_path / "model", valid=str(data), **TINY)


def test_it_learns_is_kept_and_is_read_again(model):
    assert model.facts.metrics["f1"] == 1.0
    assert model.facts.parity < 1e-5
    assert load(model.path).predict(TEXT) == model.predict(TEXT) == LABELS
    assert model.predict([[], ["Mr", "Kim", "saw", "Oslo", "."]]) == [(), LABELS]


def test_the_encoder_stays_as_it_was(model, pretrained_folder):
    before, now = read_weights(pretrained_folder / WEIGHTS), read_weights(model.path / WEIGHTS)
    assert np.array_equal(now["embed.pieces.embed.weight"], before["embed.weight"])
    inside = {name: value for name, value in now.items() if name.startswith("embed.pieces.encoder.")}
    theirs = [value for name, value in before.items() if name.startswith("encoder.")]
    assert len(inside) == len(theirs) == 8
    assert all(any(np.array_equal(value, other) for other in theirs) for value in inside.values())


def test_case_is_read_from_letters_though_the_encoder_ignores_it(model):
    low, high = (model.featuriser.features([word]).arrays for word in ("kim", "Kim"))
    assert np.array_equal(low["pieces"], high["pieces"])
    assert not np.array_equal(low["letters"], high["letters"])


def test_the_heatmap_and_leaving_words_out_work(model):
    found = model.explain(TEXT)
    assert found.labels == LABELS
    np.testing.assert_allclose(found.weights.sum(1), 1.0, atol=1e-5)
    effects = model.explain(TEXT, word=2).effects[LEAVE_ONE_OUT]
    assert np.isnan(effects[1]) and np.isfinite(np.delete(effects, 1)).all()


def test_another_tagger_may_begin_from_it(model, monkeypatch, tmp_path):
    again = start_of(model.path)
    assert type(again) is TagStart
    own = again.network(again.settings_for(Config().with_given(task="tag")), ("A", "B")).state_dict()
    weights = read_weights(model.path / WEIGHTS)
    assert all(np.array_equal(own[name], value) for name, value in weights.items() if not name.startswith("head."))
    other = tmp_path / "other.tsv"
    other.write_text((tmp_path / "train.tsv").read_text().replace("-per", "-human"))
    begun = begin(monkeypatch, again, other, tmp_path / "begun", valid=str(other), **TINY)
    assert begun.labels == ("B-human", "B-loc", "O")
    assert begun.featuriser.shape == model.featuriser.shape
    assert begun.facts.parity < 1e-5


def test_a_tagger_of_the_same_labels_goes_on_where_it_was(model, monkeypatch, tmp_path):
    again = start_of(model.path)
    network = again.network(again.settings_for(Config().with_given(task="tag", crf=True)), model.labels)
    weights = read_weights(model.path / WEIGHTS)
    assert all(np.array_equal(value, weights[name]) for name, value in network.state_dict().items())
    settings = {**TINY, "epochs": 1, "lr": 1e-9, "keep": "last"}
    begun = begin(monkeypatch, again, tmp_path / "train.tsv", tmp_path / "begun", **settings)
    assert begun.predict(TEXT) == LABELS


def test_labels_that_were_known_keep_their_answers_among_new_ones(model):
    again, weights = start_of(model.path), read_weights(model.path / WEIGHTS)
    labels = ("B-food", "B-loc", "B-per", "I-food", "O")
    config = again.settings_for(Config().with_given(task="tag", crf=True))
    fresh = again.network(config, ("X", "Y", "Z", "V", "W")).state_dict()
    own = again.network(config, labels).state_dict()
    before, now = [model.labels.index(x) for x in ("B-loc", "B-per", "O")], [1, 2, 4]
    assert np.array_equal(own["head.answer.weight"][now], weights["head.answer.weight"][before])
    assert np.array_equal(own["head.answer.bias"][now], weights["head.answer.bias"][before])
    assert np.array_equal(own["head.answer.weight"][[0, 3]], fresh["head.answer.weight"][[0, 3]])
    steps = weights["head.crf.steps"]
    assert np.array_equal(
        own["head.crf.steps"][[1, 2, 4, -1]][:, [1, 2, 4, -1]], steps[[*before, -1]][:, [*before, -1]]
    )
    assert own["head.crf.steps"][0, 1] == 0


def test_word_vectors_stand_beside_the_encoder(pretrained_folder, tmp_path):
    (tmp_path / "vectors.txt").write_text("kim 1 2 3\noslo 4 5 6\n")
    start = start_of(pretrained_folder)
    assert isinstance(start, EncoderTagStart)
    config = resolve(Config().with_given(vectors=str(tmp_path / "vectors.txt"), **TINY), n_texts=10, start=start)
    featuriser, network = start.featuriser_for(config), start.network(config, ("A", "B", "O"))
    assert config.model.embed_width == 3
    assert network.embed.weight[featuriser.vocab.id("oslo")].tolist() == [4, 5, 6]
    assert featuriser.is_known("oslo")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"letters": 0}, "text.letters is 0"), ({"tokens": "subwords"}, "reads words"),
        ({"one_hot": True}, "reads words"), ({"pooler": "mean"}, "needs pooler each"),
    ],
)  # fmt: skip
def test_settings_that_do_not_fit_are_refused(pretrained_folder, settings, problem):
    with pytest.raises(ConfigError, match=problem):
        resolve(Config().with_given(**{**TINY, **settings}), n_texts=10, start=start_of(pretrained_folder))


def test_models_that_are_no_start_are_refused(pretrained_folder, tiny_folder):
    with pytest.raises(ModelFolderError, match="task classify; a tagger starts from a tagger of words or an encoder"):
        start_of(tiny_folder)
    stored = read_folder(pretrained_folder)
    with pytest.raises(ModelFolderError, match="cnn over subwords"):
        tag_start("it", stored.config.changed(encoder="cnn"), stored.featuriser, {}, ())


@pytest.mark.parametrize("damage", ["missing", "other shape"])
def test_weights_that_do_not_fit_are_refused(pretrained_folder, damage):
    start = start_of(pretrained_folder)
    table = start.weights.pop("embed.weight")
    if damage == "other shape":
        start.weights["embed.weight"] = table[:-1]
    with pytest.raises(ModelFolderError, match=r"do not fit its config.toml \(embed.pieces.embed.weight\)"):
        start.network(resolve(Config().with_given(**TINY), n_texts=10, start=start), ("A", "B", "O"))


@pytest.mark.parametrize("name", ["head.answer.weight", "head.crf.steps"])
def test_answers_that_do_not_fit_are_refused(model, name):
    start = start_of(model.path)
    start.weights[name] = start.weights[name][:-1]
    with pytest.raises(ModelFolderError, match=f"do not fit its config.toml \\({name}\\)"):
        start.network(start.settings_for(Config().with_given(task="tag", crf=True)), model.labels)
