"""The scores of a tagger's labels as sums: own state, words looked at, bias; and the transitions of a CRF."""

import itertools
import json
import re
import tracemalloc

import numpy as np
import pytest
from tests.tasks.tag.test_model import TEXT, TINY, write

from heedful.api.train import train
from heedful.cli.main import main
from heedful.errors import HeedfulError, ModelFolderError
from heedful.explain.contributions import has_contributions
from heedful.explain.token_sums import token_map
from heedful.tasks.tag.crf.viterbi import path_transitions

LONG = "Mr Kim Lee saw Oslo . " * 50
TEXTS = ["", " \n ", "Oslo", TEXT, "Xyzzy Qwrt ßä 東京 🙂", LONG]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write(tmp_path_factory.mktemp("sums") / "train.tsv", 60, 0)


@pytest.fixture(scope="module", params=["crf", "static", "subwords"])
def model(request, data):
    settings = {"crf": {"crf": True}, "static": {"encoder": "static"}, "subwords": {"start": "en-base"}}
    return train(data, data.parent / request.param, **{**TINY, "epochs": 2, **settings[request.param]})


@pytest.mark.parametrize("text", TEXTS, ids=[repr(text)[:12] for text in TEXTS])
def test_the_parts_sum_to_the_score_of_every_label(model, text):
    found = model.explain(text)
    n, k = len(found.words), len(model.labels)
    assert found.scores.shape == found.own.shape == found.values.shape == (n, k)
    assert found.bias.shape == (k,)
    np.testing.assert_allclose(found.scores, model.scores([text])[0], atol=1e-5)
    for c, label in enumerate(model.labels):
        looked = found.contributions_to(label)
        assert looked.shape == (n, n)
        np.testing.assert_allclose(found.bias[c] + found.own[:, c] + looked.sum(axis=1), found.scores[:, c], atol=1e-5)


def test_contributions_are_to_the_label_of_each_word(model):
    found = model.explain(TEXT)
    for i, label in enumerate(found.labels):
        np.testing.assert_array_equal(found.contributions[i], found.contributions_to(label)[i])
        np.testing.assert_array_equal(found.contributions[i], found.contributions_of(i))
    assert model.explain("").contributions.shape == (0, 0)
    with pytest.raises(HeedfulError, match="no label 'B-dog'"):
        found.contributions_to("B-dog")


def test_the_batch_changes_nothing(model):
    for text, together in zip(TEXTS, model.explain(TEXTS), strict=True):
        alone = model.explain(text)
        np.testing.assert_allclose(together.contributions, alone.contributions, atol=1e-5)
        np.testing.assert_allclose(together.own, alone.own, atol=1e-5)


def test_a_word_of_several_subwords_is_one_word(model):
    found = model.explain("Xyzzyplugh saw Oslo")
    assert [word.text for word in found.words] == ["Xyzzyplugh", "saw", "Oslo"]
    assert found.contributions.shape == (3, 3)


def test_transitions_and_scores_make_the_score_of_the_path(model):
    found = model.explain(TEXT)
    assert (found.transitions is None) == (model.steps is None)
    if model.steps is None:
        return
    columns = found.columns
    by_hand = model.steps[-1, columns[0]] + model.steps[columns[-1], -1]
    by_hand += sum(model.steps[i, j] for i, j in itertools.pairwise(columns))
    assert found.transitions.sum() == pytest.approx(by_hand, abs=1e-5)
    assert found.transitions[1] == pytest.approx(model.steps[columns[0], columns[1]])
    assert path_transitions(np.zeros(0, np.int64), model.steps).shape == (0,)
    alone = path_transitions(np.array([1]), model.steps)
    assert alone.tolist() == [pytest.approx(model.steps[-1, 1] + model.steps[1, -1])]


def test_the_explanation_of_one_word_sums_too_with_its_own_state_in_it(model):
    whole, found = model.explain(TEXT), model.explain(TEXT, word=3)
    np.testing.assert_allclose(found.bias + found.contributions.sum(axis=0), found.scores, atol=1e-5)
    np.testing.assert_allclose(found.scores, whole.scores[2], atol=1e-5)
    expected = whole.weights[2][:, None] * whole.values
    expected[2] += whole.own[2]
    np.testing.assert_allclose(found.contributions, expected, atol=1e-5)
    assert any("includes that of its own state" in note for note in found.notes)
    assert any("transitions from label to label" in note for note in found.notes) == (model.steps is not None)
    assert ("that of a CRF" in found.to_html()) == (model.steps is not None)


def test_json_has_the_parts(model):
    tree = json.loads(json.dumps(model.explain(TEXT).to_dict(), allow_nan=False))
    for word in tree["words"]:
        total = tree["bias"][word["tag"]] + word["own"] + sum(word["contributions"])
        assert total == pytest.approx(word["scores"][word["tag"]], abs=1e-5)
        assert ("transition" in word) == (model.steps is not None)


def test_it_is_not_a_sum_over_a_whole_text(model):
    assert not has_contributions(model)
    assert token_map(model) is token_map(model)


def test_the_command_line_shows_contributions(model, capsys):
    assert main(["explain", str(model.path), TEXT]) == 0
    printed = capsys.readouterr().out
    assert (
        re.search(r"score [+−]\d", printed)
        and "= bias" in printed
        and "own state" in printed
        and "looked at:" in printed
    )
    assert ("transitions" in printed) == (model.steps is not None)


def test_memory_grows_with_the_pairs_of_words_and_not_with_the_labels(model):
    text = "Mr Kim Lee saw Oslo . " * (model.featuriser.max_tokens // 6)
    n = len(model.explain(text).words)
    tracemalloc.start()
    found = model.explain(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n > 500 and len(found.words) == n
    assert peak < 2 * 4 * n * n + 4_000_000  # the graph's weights, a copy, and little else


def test_a_map_that_does_not_fit_is_refused(data, model, monkeypatch):
    from heedful.runtime.model import load

    other = load(model.path)
    run = other.session.run
    monkeypatch.setattr(
        other.session, "run", lambda batch, outputs: [a[:-1] if a.ndim == 2 else a for a in run(batch, outputs)]
    )
    with pytest.raises(ModelFolderError, match="the map of rows to scores has shape"):
        token_map(other)
