"""Training starts from an imported transformer: hops and a linear head over its states."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import make_examples
from tests.jobs.encoders.transformers.toy_transformers import save_transformer

from heedful.config import Config
from heedful.explain.steps.two_contexts import compare_word
from heedful.jobs.teach.teach import teach_model
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load

TEXTS = ["The parcel was great and lovely", "awful", "", "slow, broken; 我们去北京 worst!", "quick " * 100]


@pytest.fixture(scope="module", params=["answer", "hops", "all"])
def classifier(request, saved, tmp_path_factory):
    examples = make_examples(60, seed=1)
    out = tmp_path_factory.mktemp("classifier") / request.param
    config = Config().with_given(start=str(saved("mpnet", "mean")), tune=request.param, epochs=2, threads=1, ngrams=0)
    train_model(config, out, examples=(examples[:48], examples[48:]))
    return load(out)


def test_scores_are_sums_over_words(classifier):
    for explanation, text in zip(classifier.explain(TEXTS), TEXTS, strict=True):
        total = explanation.bias + explanation.contributions.sum(axis=0)
        np.testing.assert_allclose(total, explanation.scores, atol=1e-5)
        assert len(explanation.words) == len(explanation.contributions)
        assert all(text[word.start : word.end] == word.text for word in explanation.words)


def test_hops_read_words_and_no_special_tokens(classifier):
    weights = classifier.explain(TEXTS[0]).weights
    assert weights.shape[0] == 4
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-5)


def test_words_are_left_out_and_special_tokens_stay(classifier):
    explanation = classifier.explain(TEXTS[0], methods="leave-one-out,gradient,integrated")
    assert {len(effect) for effect in explanation.effects.values()} == {6}
    assert np.abs(explanation.effects["leave-one-out"]).max() > 0


def test_self_attention_has_special_tokens_among_its_words(classifier):
    attention = classifier.self_attention(TEXTS[0])
    assert [attention.words[0].text, attention.words[-1].text] == ["<s>", "</s>"]
    np.testing.assert_allclose(attention.weights.sum(axis=-1), 1.0, atol=1e-5)


def test_a_transformer_starts_with_the_mean_of_its_words(saved, encoder):
    from heedful.jobs.train.choose_start import read_start

    start = read_start(str(saved("bert", "mean")))
    assert start.config.model.n_hops == 4 and not start.config.model.pool_special
    width = start.config.model.units
    by_hop = start.weights["head.map.weight"].reshape(width, 4, width)
    np.testing.assert_allclose(by_hop.sum(axis=1), np.eye(width), atol=1e-6)


def test_similarity_is_a_sum_over_words_and_special_tokens(encoder):
    similarity = encoder("bert").similarity("a fruit", "an arrow flies")
    assert [word.text for word in similarity.words[0]] == ["[CLS]", "a", "fruit", "[SEP]"]
    vectors = encoder("bert").encode(["a fruit", "an arrow flies"])
    assert similarity.score == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-6)
    assert "[CLS]" in similarity.to_html()


@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_steps_are_those_of_the_graph(family, encoder):
    from heedful.explain.steps.steps import steps_of

    ours, text = encoder(family), "The animal didn't cross the street"
    attention = ours.self_attention(text)
    for layer, head in ((1, 1), (2, 3)):
        steps = steps_of(ours, text, word="animal", layer=layer, head=head)
        assert steps.difference < 1e-12
        np.testing.assert_allclose(steps.weights.sum(), 1.0)
        at = [word.text for word in attention.words].index("animal")
        ((_, (looks,)),) = ours.run([ours.texts.ids(text)], (f"looks_{layer}",))
        np.testing.assert_allclose(steps.weights, looks[0, head - 1, steps.at], atol=1e-5)
        assert steps.pieces[steps.at].text[0] == attention.words[at].text[0]
    assert steps.to_html()


def test_a_word_in_two_texts_has_two_vectors(encoder):
    contexts = compare_word(encoder("bert"), "time flies like an arrow", "fruit flies like a banana", word="flies")
    assert contexts.cosine < 1.0 and contexts.to_html()


def test_the_example_of_the_docs_runs(tmp_path, monkeypatch, write_csv):
    page = (Path(__file__).parents[4] / "docs" / "python.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```py\n(.*?)```", page, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    save_transformer(tmp_path / "all-MiniLM-L6-v2", "minilm", layers=4, pooling="mean")
    write_csv(tmp_path / "messages.csv", make_examples(60))
    values: dict[str, object] = {}
    exec(compile(example, "docs/python.md", "exec"), values)
    assert type(values["model"]).__name__ == "Classifier"


def test_a_folder_of_hugging_face_teaches(saved, pretrained_folder, tmp_path):
    folder, examples = saved("bert", "mean"), make_examples(60, seed=1)
    config = Config().changed(teacher=str(folder), start=str(pretrained_folder), variations=1, epochs=1, threads=1)
    teach_model(config, tmp_path / "m", examples=(examples[:48], examples[48:]))
    assert load(tmp_path / "m.teacher").config.model.encoder == "bert"
    student = load(tmp_path / "m")
    assert student.config.model.encoder == "bilstm" and student.facts.data["teacher"] == folder.name
    explanation = student.explain(TEXTS[0])
    np.testing.assert_allclose(explanation.bias + explanation.contributions.sum(axis=0), explanation.scores, atol=1e-5)
