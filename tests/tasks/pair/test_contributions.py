"""Bias, words and pairs of words sum to the scores of pairs: for every graph with a bilinear head, and whole models."""

from __future__ import annotations

import itertools
import json
import random

import numpy as np
import pytest
from tests.network.graph_cases import GraphCase, every_case

from heedful.cli.main import main
from heedful.config import Config
from heedful.data.batch import pad
from heedful.data.example import Example, TwoTexts
from heedful.errors import HeedfulError
from heedful.explain.attention.explain import default_methods
from heedful.explain.pair_contributions import bilinear_answer, has_pair_contributions
from heedful.jobs.train.train import train_model
from heedful.network.heads.parts import PAIR_ANSWER, PAIR_GATES, PAIR_MAPS, STATES, SUM_BIAS
from heedful.network.poolers.parts import POOLERS
from heedful.runtime.model import load
from heedful.runtime.session import Session

CASES = {
    str(case): case
    for case in every_case()
    if case.settings.get("head") == "bilinear" and POOLERS[case.settings.get("pooler", "structured")].is_weighted_sum
}
WORDS = ("dog", "cat", "tree", "house", "river")
FILLERS = ("the", "a", "was", "there", "on")
SETTINGS = {
    "task": "pair", "start": "none", "encoder": "static", "embed_width": 16, "n_hops": 2, "attention_width": 12,
    "batch_size": 16, "head": "bilinear", "gate_units": 16, "epochs": 12, "patience": 12, "lr": 0.01, "dropout": 0.0,
    "word_dropout": 0.0, "penalty": 0.0,
}  # fmt: skip
TEXTS = (
    "",
    " \n ",
    "dog",
    "the dog was there on the river",
    "zzz qqq xyzzy",
    "Paket kam nie an. 荷物が届かない。 الطرد لم يصل 🙂",
)
PAIRS = [*itertools.product(TEXTS, TEXTS), ("dog tree " * 5_000, "a cat"), ("a dog " * 5_000, "dog tree " * 5_000)]


def examples(n: int, seed: int, *, numbers: bool = False) -> list[Example]:
    """Return pairs of texts with one telling word each: are these the same?"""
    rng = random.Random(seed)
    made = []
    for _ in range(n):
        first = rng.choice(WORDS)
        second = first if rng.random() < 0.5 else rng.choice([word for word in WORDS if word != first])
        texts = []
        for word in (first, second):
            text = rng.choices(FILLERS, k=4)
            text.insert(rng.randrange(5), word)
            texts.append(" ".join(text))
        label = ("104" if first == second else "101") if numbers else "same" if first == second else "other"
        made.append(Example(TwoTexts(*texts), label))
    return made


KINDS = {
    "words": {"max_tokens": 10_000},
    "subwords": {"tokens": "subwords", "vocab_size": 45, "epochs": 2},
    "bilstm": {"encoder": "bilstm", "units": 8, "epochs": 2},
    "transformer": {"encoder": "transformer", "units": 8, "n_heads": 2, "n_layers": 1, "inner_units": 9, "epochs": 2},
    "number": {"answer": "number", "epochs": 4},
    "max": {"pooler": "max", "epochs": 1},
}


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    home = tmp_path_factory.mktemp("bilinear")
    for name, settings in KINDS.items():
        sets = [examples(n, seed, numbers=name == "number") for n, seed in ((400, 0), (60, 1))]
        train_model(Config().with_given(**{**SETTINGS, **settings}), home / name, examples=tuple(sets))
    return {name: load(home / name, threads=1) for name in KINDS}


@pytest.fixture(params=[name for name in KINDS if name != "max"])
def model(request, models):
    return models[request.param]


def check_sums(explanation) -> None:
    first, second = explanation.sides
    of_words = explanation.bias + first.contributions.sum(0) + second.contributions.sum(0)
    np.testing.assert_allclose(of_words, explanation.scores, atol=1e-5)
    of_hops = explanation.bias + first.hop_contributions.sum(0) + second.hop_contributions.sum(0)
    np.testing.assert_allclose(of_hops, explanation.scores, atol=1e-5)
    if explanation.pair_contributions is None:
        return
    own, other = explanation.own_contributions
    pairs = explanation.pair_contributions
    np.testing.assert_allclose(
        explanation.bias + own.sum(0) + other.sum(0) + pairs.sum((0, 1)), explanation.scores, atol=1e-5
    )
    np.testing.assert_allclose(first.contributions, own + 0.5 * pairs.sum(1), atol=1e-5)
    np.testing.assert_allclose(second.contributions, other + 0.5 * pairs.sum(0), atol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_bias_words_and_pairs_sum_to_the_scores_of_every_graph(name):
    case = CASES[name]
    session = Session(case.made()[1], outputs=("scores", PAIR_ANSWER), inputs=case.shape.names)
    batch = pad(case.features, range(len(case.features)))
    names = ["scores", "weights", STATES, *PAIR_MAPS, *PAIR_GATES, PAIR_ANSWER, SUM_BIAS]
    scores, weights, states, *maps = session.run(batch, names)
    own, gates, (answer, bias) = maps[:2], maps[2:4], maps[4:]
    n = len(scores)
    for row in range(n):
        linear, gated = np.zeros(len(bias)), []
        for side, at in enumerate((row, row + n)):
            tokens = weights[at, :, : batch.lengths[at]].T[:, :, None] * states[at, : batch.lengths[at]][:, None]
            linear += (tokens.reshape(len(tokens), own[side].shape[0]) @ own[side]).sum(0)
            gated.append(np.einsum("thw,hwg->thg", tokens, gates[side]).reshape(len(tokens), len(answer)))
        pairs = np.einsum("ik,jk,kc->ijc", *gated, answer)
        np.testing.assert_allclose(bias + linear + pairs.sum((0, 1)), scores[row], atol=1e-5)


def test_there_are_cases_with_each_weighted_sum_and_a_small_graph():
    assert {case.settings.get("pooler", "structured") for case in CASES.values()} == {"structured", "mean", "first"}
    assert any(case.small for case in CASES.values())


@pytest.mark.parametrize("pooler", ["max", "last"])
def test_rows_that_are_not_weighted_sums_have_no_contributions(pooler):
    _, graph = GraphCase({"head": "bilinear", "pooler": pooler}).made()
    outputs = Session(graph, outputs=("scores",)).outputs
    assert not outputs & {PAIR_ANSWER, STATES, SUM_BIAS, *PAIR_MAPS, *PAIR_GATES}


@pytest.mark.parametrize("head", ["gated", "concat", "likeness"])
def test_other_heads_have_no_contributions(head):
    assert PAIR_ANSWER not in Session(GraphCase({"head": head}).made()[1], outputs=("scores",)).outputs


@pytest.mark.parametrize("pair", PAIRS, ids=[repr(pair)[:40] for pair in PAIRS])
def test_words_and_pairs_of_words_sum_to_the_scores(model, pair):
    explanation = model.explain(pair)
    n_first, n_second = (len(side.words) for side in explanation.sides)
    assert explanation.first.contributions.shape == (n_first, len(model.labels))
    if explanation.pair_contributions is not None:
        assert explanation.pair_contributions.shape == (n_first, n_second, len(model.labels))
    check_sums(explanation)
    np.testing.assert_allclose(explanation.scores, model.scores([pair])[0], atol=1e-5)


def test_a_model_that_starts_from_an_encoder_sums_too(pretrained_folder, tmp_path):
    settings = {"task": "pair", "start": str(pretrained_folder), "head": "bilinear", "epochs": 1}
    sets = (examples(60, 0), examples(20, 1))
    train_model(Config().with_given(**settings), tmp_path / "model", examples=sets)
    model = load(tmp_path / "model", threads=1)
    assert model.config.train.tune == "all"
    for pair in PAIRS[:36]:
        check_sums(model.explain(pair))


def test_it_learns_by_pairs_of_words(models):
    model = models["words"]
    same = model.explain(("the dog was there", "on a dog"))
    assert same.label == "same" and not same.first.effects, "no leave-one-out unless it is asked for"
    assert default_methods(model) == () and default_methods(models["max"]) == ("leave-one-out",), "nor by a server"
    assert same.top_pairs(1)[0][:2] == ("dog", "dog")
    assert {word for _, word, _ in same.top(2)} == {"dog"}
    other = model.explain(("the dog was there", "on a cat"), label="same")
    strongest = np.unravel_index(other.pair_contributions_to().argmin(), (4, 3))
    assert other.label == "other" and [*strongest] == [1, 2], "dog and cat speak most against"
    np.testing.assert_array_equal(other.pair_contributions_to("other"), other.pair_contributions[:, :, 0])
    with pytest.raises(HeedfulError, match=r"no label 'sam'.*Did you mean same"):
        other.pair_contributions_to("sam")


def test_a_pair_is_what_it_adds_to_the_score_of_two_words_alone(models):
    """Of texts of one word each, all weights are 1: the parts follow from the scores of four pairs."""
    model = models["words"]
    both, first, second, none = model.scores([("dog", "cat"), ("dog", ""), ("", "cat"), ("", "")])
    explanation = model.explain(("dog", "cat"))
    np.testing.assert_allclose(explanation.bias, none, atol=1e-5)
    np.testing.assert_allclose(explanation.own_contributions[0][0], first - none, atol=1e-5)
    np.testing.assert_allclose(explanation.own_contributions[1][0], second - none, atol=1e-5)
    np.testing.assert_allclose(explanation.pair_contributions[0, 0], both - first - second + none, atol=1e-5)


def test_the_batch_changes_nothing(model):
    for pair, together in zip(PAIRS[:36], model.explain(PAIRS[:36]), strict=True):
        alone = model.explain(pair)
        for name in ("bias", "scores", "pair_contributions"):
            np.testing.assert_allclose(getattr(together, name), getattr(alone, name), atol=1e-5)
        np.testing.assert_allclose(together.second.contributions, alone.second.contributions, atol=1e-5)


def test_leave_one_out_is_a_check_one_asks_for(models):
    model = models["words"]
    explanation = model.explain(("a dog", "the dog"), methods="leave-one-out")
    assert explanation.second.left_out.shape == (2,)
    check_sums(explanation)
    assert explanation.top(1, method="leave-one-out")[0][1] == "dog"
    assert model.explain(("a dog", "the dog"), methods="attention", label="other").target == "other"


def test_rows_that_are_maxima_are_explained_by_leave_one_out(models):
    explanation = models["max"].explain(("a dog", "the dog"))
    assert not has_pair_contributions(models["max"])
    assert explanation.bias is None and explanation.scores is None and explanation.pair_contributions is None
    assert explanation.first.contributions is None and set(explanation.first.effects) == {"leave-one-out"}
    assert explanation.pair_contributions_to() is None and explanation.top_pairs() == []


def test_numbers_are_sums_in_their_unit(models):
    explanation = models["number"].explain(("a dog", "the dog"))
    assert explanation.scores[0] == pytest.approx(models["number"].predict(("a dog", "the dog")))
    assert explanation.scores[0] > 100


def test_pairs_of_long_texts_are_left_out_with_a_note(models):
    explanation = models["words"].explain(PAIRS[-1])
    assert explanation.pair_contributions is None and explanation.to_dict()["pair_contributions"] is None
    n = len(explanation.first.words)
    assert explanation.first.notes[0].startswith(f"Pairs of words are not listed: {n:,} × {n:,} words and 2 scores")
    check_sums(explanation)


def test_pairs_are_listed_in_parts(model, monkeypatch):
    pair = ("the dog was there", "a cat was on a river")
    whole = model.explain(pair)
    monkeypatch.setattr("heedful.explain.pair_contributions.MOST_CELLS", 1)
    np.testing.assert_allclose(model.explain(pair).pair_contributions, whole.pair_contributions, atol=1e-6)
    assert bilinear_answer(model) is bilinear_answer(model)


def test_plain_values_have_both_sums(models):
    explanation = models["words"].explain(("the dog was", "a dog"))
    tree = json.loads(json.dumps(explanation.to_dict()))
    label = tree["target"]
    words = sum(word["contribution"] for text in tree["texts"] for word in text["words"])
    assert tree["bias"][label] + words == pytest.approx(tree["scores"][label], abs=1e-5)
    own = sum(sum(text["own_contributions"][label]) for text in tree["texts"])
    pairs = sum(map(sum, tree["pair_contributions"]))
    assert tree["bias"][label] + own + pairs == pytest.approx(tree["scores"][label], abs=1e-5)
    for text in tree["texts"]:
        assert text["contributions"][label] == [word["contribution"] for word in text["words"]]


def test_commands_show_the_sum(models, capsys):
    folder = str(models["words"].path)
    assert main(["explain", folder, "the dog was there", "a dog", "--label", "other"]) == 0
    printed = capsys.readouterr().out
    assert "= bias " in printed and "leave-one-out, for" not in printed
    assert main(["explain", folder, "the dog was there", "a dog", "--methods", "leave-one-out", "--json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert "leave_one_out" in tree["texts"][0]["words"][0] and "contribution" in tree["texts"][0]["words"][0]
    assert main(["info", folder]) == 0


@pytest.mark.parametrize("pair", PAIRS[:36:7], ids=repr)
def test_every_text_can_be_drawn(model, pair):
    explanation = model.explain(pair)
    assert "= bias" in explanation.to_html() and "= bias" in str(explanation) and "= bias" in explanation.to_svg()
    assert "<style" in explanation._repr_html_()
