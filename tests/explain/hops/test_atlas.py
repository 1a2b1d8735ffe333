from __future__ import annotations

import itertools
import json
import math
from collections import defaultdict

import numpy as np
import pytest
import tomli_w
import torch

from heedful import __version__
from heedful.config import Config
from heedful.errors import HeedfulError
from heedful.explain.hops import hop_words
from heedful.explain.hops import statistics as hop_sums
from heedful.explain.hops.atlas import Shares, distinct, linked, named, state_of
from heedful.explain.hops.hop_text import LONGEST, WINDOW, form_of
from heedful.explain.hops.hop_words import PRIOR, SEEN, STANDS_OUT, WordTable
from heedful.explain.hops.statistics import OTHER_LABELS, hop_atlas
from heedful.inputs.text.featuriser import WordFeaturiser
from heedful.network.build import build_network
from heedful.network.write import onnx_graph
from heedful.runtime.model import load
from heedful.store import folder
from heedful.store.metadata import Facts
from heedful.text.vocab import Vocab
from heedful.text.word_tokeniser import WordTokeniser

WORDS = ["the", "cake", "was", "good", "bad", "."]
TEXTS = [
    "The cake was good.", "the cake was bad.", "Good cake", "bad bad cake", "the good, the bad", "cake .",
    "GOOD good .", "was the cake the cake?", "zebra was good", "", "cake",
]  # fmt: skip


@pytest.fixture
def designed(tmp_path):
    """A function from scores (hop, word of WORDS) to a model in which each hop is the softmax of its scores."""

    def make(*hops, **settings):
        size = len(WORDS)
        settings = {"encoder": "static", "embed_width": size, "attention_width": size, "n_hops": len(hops), **settings}
        config = Config().changed(**settings)
        featuriser = WordFeaturiser(WordTokeniser(), Vocab(WORDS), max_tokens=100)
        network = build_network(config.model, n_ids=len(featuriser), n_classes=2).eval()
        state = network.state_dict()
        if config.model.pooler == "structured":
            state["embed.weight"][2:] = 20 * torch.eye(size)  # tanh makes it 1
            state["embed.weight"][1] = 0.0
            state["pooler.inner.weight"][:] = torch.eye(size)
            state["pooler.hops.weight"][:] = torch.tensor(hops)
        out = tmp_path / f"designed-{len(list(tmp_path.iterdir()))}"
        facts = Facts(("no", "yes"), int(network.pooler.n_hops), int(network.encoder.width), __version__)
        ((name, vocab),) = folder.featuriser_files(featuriser).items()
        graph = onnx_graph(config.model, {key: value.numpy() for key, value in state.items()})
        files = {folder.CONFIG: tomli_w.dumps(config.to_dict()).encode(), folder.FACTS: facts.to_json().encode()}
        folder.write_folder(out, {**files, folder.GRAPH: graph, name: vocab})
        return load(out, threads=1)

    return make


def prefers(word, by=4.0):
    return [by if known == word else 0.0 for known in WORDS]


def test_lift_weight_and_count_are_those_computed_by_hand(designed):
    model = designed(prefers("good", 2.0))
    texts = ["the cake was good", "good cake", "good ."]
    e = math.exp(2.0)
    weights = [e / (e + 3), e / (e + 1), e / (e + 1)]
    lift = sum(w * n for w, n in zip(weights, (4, 2, 2), strict=True))
    (hop,) = hop_atlas(model, texts).hops
    assert [word.word for word in hop.words] == ["good"]
    assert hop.words[0].count == 3 == SEEN
    assert hop.words[0].weight == pytest.approx(sum(weights) / 3, abs=1e-5)
    assert hop.words[0].lift == pytest.approx((lift + PRIOR) / (3 + PRIOR), abs=1e-5)


def test_entropy_and_shares_are_those_computed_by_hand(designed):
    model = designed(prefers(".", 1.0))
    w = np.exp([0, 0, 0, 1.0]) / (3 + math.e)  # zebra was good .
    (hop,) = hop_atlas(model, ["zebra was good ."] * 2).hops
    assert hop.entropy == pytest.approx(-(w * np.log(w)).sum() / math.log(4), abs=1e-5)
    shares = hop.shares
    assert (shares.words, shares.marks, shares.unknown) == pytest.approx((w[1] + w[2], w[3], w[0]), abs=1e-5)
    assert (shares.first, shares.last) == pytest.approx((w[0], w[3]), abs=1e-5)
    assert hop_atlas(model, ["zebra was good ."]).even == Shares(0.5, 0.25, 0.25, 0.25, 0.25)


def by_hand(model, texts):
    """Return {(hop, word): [weight over even share]}, entropies and cosines, from one text at a time."""
    lifts, entropies, cosines = defaultdict(list), [], []
    for text in texts:
        ((_, (weights,)),) = model.run([model.featuriser.ids(text)], ("weights",))
        tokens = model.featuriser.tokens(text)
        if not tokens:
            continue
        groups = [list(group) for _, group in itertools.groupby(range(len(tokens)), key=lambda t: tokens[t].word)]
        folded = np.array([[sum(row[t] for t in group) for group in groups] for row in weights[0]], dtype=float)
        for hop, row in enumerate(folded):
            for group, weight in zip(groups, row, strict=True):
                form = text[tokens[group[0]].start : tokens[group[-1]].end].casefold()
                lifts[hop, form].append(weight * len(tokens) / len(group))
        if len(groups) > 1:
            entropies.append([-sum(w * math.log(w) for w in row if w > 0) / math.log(len(groups)) for row in folded])
            sizes = np.linalg.norm(folded, axis=1)
            cosines.append(folded @ folded.T / np.outer(sizes, sizes))
    return lifts, np.mean(entropies, axis=0), np.mean(cosines, axis=0)


@pytest.mark.parametrize("kind", ["tiny_model", "subword_model"])
def test_everything_agrees_with_one_text_at_a_time(kind, request, examples, monkeypatch):
    monkeypatch.setattr(hop_words, "STANDS_OUT", 0.01)  # a model that has learned little still has numbers
    model = request.getfixturevalue(kind)
    texts = [example.text for example in examples(60, seed=5)] + ["", "Great GREAT great", "?!", "zxqv"]
    if kind == "subword_model":
        assert any(len(model.featuriser.tokens(word)) > 2 for word in ["parcel", "monday", "lovely"])
    atlas = hop_atlas(model, texts, words=1000)
    lifts, entropies, cosines = by_hand(model, texts)
    assert [hop.entropy for hop in atlas.hops] == pytest.approx(entropies.tolist(), abs=1e-5)
    np.testing.assert_allclose(atlas.likeness, cosines, atol=1e-5)
    for i, hop in enumerate(atlas.hops):
        expected = {
            form: (sum(found) + PRIOR) / (len(found) + PRIOR)
            for (at, form), found in lifts.items()
            if at == i and len(found) >= SEEN
        }
        assert len(expected) > 15
        assert {word.word: word.lift for word in hop.words} == pytest.approx(expected, abs=1e-4)
        shown = [word.lift for word in hop.words]
        assert shown == sorted(shown, reverse=True)
        assert all(len(lifts[i, word.word]) == word.count for word in hop.words)
        assert hop.shares.words + hop.shares.marks + hop.shares.unknown == pytest.approx(1, abs=1e-5)
    for j, word in enumerate(atlas.map_words):
        for i in range(len(atlas.hops)):
            found = lifts[i, word]
            assert atlas.map[i, j] == pytest.approx((sum(found) + PRIOR) / (len(found) + PRIOR), abs=1e-4)


def test_the_company_in_the_stream_changes_nothing(tiny_model, examples, monkeypatch):
    texts = [example.text for example in examples(50, seed=2)]
    whole = hop_atlas(tiny_model, iter(texts)).to_dict()
    monkeypatch.setattr(hop_sums, "CHUNK", 7)
    parts = hop_atlas(tiny_model, iter(texts)).to_dict()
    assert whole["map_words"] == parts["map_words"]
    np.testing.assert_allclose(whole["map"], parts["map"], atol=1e-5)
    assert [h["entropy"] for h in whole["hops"]] == pytest.approx([h["entropy"] for h in parts["hops"]], abs=1e-5)


def test_a_rare_word_is_drawn_towards_1_and_a_rarer_one_left_out(designed):
    model = designed([0, 0, 0, 4.0, 4.0, 0])
    texts = ["the cake was good"] * 40 + ["the cake was bad"] * SEEN
    good, bad = hop_atlas(model, texts).hops[0].words
    assert (good.word, bad.word) == ("good", "bad")
    assert good.weight == pytest.approx(bad.weight, abs=1e-6)
    assert good.lift > 1.5 * bad.lift > STANDS_OUT
    few = hop_atlas(model, texts[: 40 + SEEN - 1]).hops[0].words
    assert [word.word for word in few] == ["good"]


def test_places_are_those_of_the_largest_weight_with_the_word_marked(designed):
    model = designed(prefers("good"))
    texts = ["the cake was good", "the bad cake was the good cake the bad", "good", "cake was the Good cake ."]
    place, *others = hop_atlas(model, texts).hops[0].words[0].places
    assert [one.text for one in (place, *others)] == [texts[0], texts[3], texts[1]]  # `good` alone is no choice
    for one in (place, *others):
        start, end = one.spans[one.at]
        assert one.text[start:end].lower() == "good"
        assert one.weight == one.weights[one.at] == pytest.approx(max(one.weights))
    assert place.weight > others[0].weight > others[1].weight
    assert place.is_start and place.is_end and place.n_words == 4


def test_a_place_is_a_window_and_never_long(designed):
    model = designed(prefers("good"))
    far = " ".join(["cake"] * 30)
    (place,) = hop_atlas(model, [f"{far} good {far}"] * 3).hops[0].words[0].places
    assert place.text == " ".join(["cake"] * 8 + ["good"] + ["cake"] * 8)
    assert not place.is_start and not place.is_end and place.n_words == 61
    (place,) = hop_atlas(model, [f"{'x' * 9000} good {'y' * 9000} cake"] * 3).hops[0].words[0].places
    assert place.text == "good" and len(place.text) <= WINDOW


def test_hops_with_the_same_weights_are_duplicates(designed):
    model = designed(prefers("good"), prefers("bad"), prefers("good"), prefers("cake"), prefers("bad"))
    atlas = hop_atlas(model, TEXTS)
    assert atlas.likeness[0, 2] == pytest.approx(1) and atlas.likeness[0, 1] < 0.9
    assert atlas.duplicates == ((1, 3), (2, 5)) and not atlas.dead
    assert atlas.needed == 3
    assert atlas.suggestion.endswith("heedful train … --hops 3") and "suggestion" in atlas.suggestion
    assert any("hops 1 and 3 read the same words" in note for note in atlas.notes)


def test_a_hop_without_scores_reads_evenly_and_is_dead(designed):
    model = designed(prefers("good"), [0.0] * len(WORDS), prefers("bad"), [0.0] * len(WORDS))
    atlas = hop_atlas(model, TEXTS)
    assert [hop.state for hop in atlas.hops] == ["alive", "even", "alive", "even"]
    assert atlas.hops[1].entropy == pytest.approx(1) and atlas.hops[1].words == ()
    assert atlas.notes == ("hops 2 and 4 read nearly every word alike",)
    assert atlas.duplicates == () and atlas.needed == 2  # two dead hops are alike, but that is not what is wrong


def test_where_every_hop_is_dead_one_is_still_suggested(designed):
    atlas = hop_atlas(designed([0.0] * len(WORDS), [0.0] * len(WORDS)), TEXTS)
    assert len(atlas.dead) == 2 and atlas.needed == 1
    assert atlas.suggestion.startswith("None of the 2 hops chooses among words") and atlas.map_words == ()


def test_every_token_alike_is_even_though_words_have_many_pieces(subword_model, examples, monkeypatch):
    texts = [example.text for example in examples(30)]
    run = type(subword_model).run

    def evenly(self, features, outputs, **more):
        for batch, found in run(self, features, outputs, **more):
            here = np.arange(found[0].shape[2]) < batch.lengths[:, None, None]
            yield batch, [np.where(here, 1 / batch.lengths[:, None, None], 0).repeat(3, 1), *found[1:]]

    monkeypatch.setattr(type(subword_model), "run", evenly)
    atlas = hop_atlas(subword_model, texts)
    assert all(hop.entropy < 0.98 for hop in atlas.hops)  # a word of many pieces has more of it
    assert {hop.state for hop in atlas.hops} == {"even"} and all(hop.words == () for hop in atlas.hops)


@pytest.mark.parametrize(("pooler", "state"), [("mean", "even"), ("last", "ends")])
def test_a_model_with_one_hop_says_what_it_reads(designed, pooler, state):
    model = designed([0.0], pooler=pooler, encoder="bilstm", units=4)
    atlas = hop_atlas(model, [text for text in TEXTS if len(text.split()) > 2])
    assert len(atlas.hops) == 1 and atlas.hops[0].state == state
    assert atlas.suggestion.startswith("This model has one hop; it reads ")


@pytest.mark.parametrize(
    ("evenness", "first", "last", "state"),
    [(0.5, 0.1, 0.1, "alive"), (0.99, 0.1, 0.1, "even"), (0.2, 0.97, 0.0, "first"), (0.2, 0.0, 0.97, "last"),
     (0.2, 0.5, 0.48, "ends"), (None, None, None, "alive")],
)  # fmt: skip
def test_the_state_of_a_hop(evenness, first, last, state):
    assert state_of(evenness, Shares(1, 0, 0, first, last)) == state


def test_groups_are_linked_by_pairs_and_the_distinct_are_not():
    likeness = np.eye(5)
    for i, j in ((0, 3), (3, 4)):
        likeness[i, j] = likeness[j, i] = 0.96
    assert linked(likeness, range(5)) == [[0, 3, 4], [1], [2]]
    assert linked(likeness, [0, 1, 4]) == [[0], [1], [4]]
    assert distinct(likeness, range(5)) == [0, 1, 2, 4]  # 4 is like 3, which was not kept
    likeness[2, 4] = likeness[4, 2] = likeness[0, 1] = likeness[1, 0] = 0.99
    assert linked(likeness, range(5)) == [[0, 1, 2, 3, 4]]
    assert named([3], "reads") == "hop 3 reads" and named([1, 4, 5], "reads") == "hops 1, 4 and 5 read"


def test_labels_are_the_answers_unless_true_ones_are_given(tiny_model, examples):
    made = examples(40, seed=4)
    texts = [example.text for example in made]
    predicted = hop_atlas(tiny_model, texts)
    assert predicted.labels_are == "predicted"
    answers = tiny_model.predict(texts)
    for hop in predicted.hops:
        assert {found.label: found.n_texts for found in hop.by_label} == {
            label: answers.count(label) for label in set(answers)
        }
    true = hop_atlas(tiny_model, texts, ["odd" if i % 4 else "even" for i in range(40)])
    assert true.labels_are == "true"
    assert [(found.label, found.n_texts) for found in true.hops[0].by_label] == [("odd", 30), ("even", 10)]
    alone = hop_atlas(tiny_model, [text for i, text in enumerate(texts) if i % 4])
    for hop, other in zip(true.hops, alone.hops, strict=True):
        assert hop.by_label[0].entropy == pytest.approx(other.entropy, abs=1e-5)
        found = {word.word: word.lift for word in hop.by_label[0].words}
        assert found == pytest.approx({word.word: word.lift for word in other.words}, abs=1e-4)


def test_a_text_without_a_label_counts_for_the_hop_alone(designed):
    atlas = hop_atlas(designed(prefers("good")), ["good cake"] * 4, ["a", None, "a", None])
    assert atlas.n_texts == 4 and atlas.hops[0].words[0].count == 4
    assert [(found.label, found.n_texts) for found in atlas.hops[0].by_label] == [("a", 2)]
    none = hop_atlas(designed(prefers("good")), ["good cake"] * 4, [None] * 4)
    assert none.labels_are == "none" and none.hops[0].by_label == ()


def test_a_column_with_no_end_of_labels_is_bounded(designed, monkeypatch):
    monkeypatch.setattr(hop_sums, "MOST_LABELS", 5)
    atlas = hop_atlas(designed(prefers("good")), ["good cake"] * 20, [str(i) for i in range(20)])
    found = atlas.hops[0].by_label
    assert len(found) == 6 and (found[0].label, found[0].n_texts) == (OTHER_LABELS, 15)


def test_an_encoder_has_hops_and_no_labels(pretrained, examples):
    texts = [example.text for example in examples(20)]
    atlas = hop_atlas(pretrained, texts)
    assert len(atlas.hops) == 2 and atlas.labels_are == "none" and atlas.hops[0].by_label == ()
    assert atlas.command.startswith("heedful distill … --hops ")
    given = hop_atlas(pretrained, texts, [example.label for example in examples(20)])
    assert {found.label for found in given.hops[0].by_label} == {"good", "bad"}


def test_texts_without_words_are_not_counted_and_nothing_but_them_is_a_fault(tiny_model):
    assert hop_atlas(tiny_model, ["", " \n", "great", "\x00"]).n_texts == 1
    with pytest.raises(HeedfulError, match=r"here\.txt: the 2 texts have no words"):
        hop_atlas(tiny_model, ["", "  "], file="here.txt")
    with pytest.raises(HeedfulError, match="expected at least 1"):
        hop_atlas(tiny_model, ["great"], words=0)


def test_texts_of_one_word_leave_no_nan(tiny_model):
    atlas = hop_atlas(tiny_model, ["great", "awful"] * 5)
    assert all(hop.entropy is None and hop.shares.first is None and not hop.is_dead for hop in atlas.hops)
    assert "NaN" not in json.dumps(atlas.to_dict())


def test_case_and_the_way_of_writing_a_letter_do_not_matter(designed):
    assert "CAFE\u0301".lower() != "caf\u00e9"
    assert form_of("caf\u00e9") == form_of("CAFE\u0301") and len(form_of("x" * 10_000)) == LONGEST
    atlas = hop_atlas(designed(prefers("good")), ["Good cake", "GOOD cake", "good cake"])
    assert (atlas.hops[0].words[0].word, atlas.hops[0].words[0].count) == ("good", 3)


def test_unknown_words_are_marked(designed):
    model = designed([-3.0] * len(WORDS))
    (word,) = hop_atlas(model, ["the cake was zebra"] * 4).hops[0].words
    assert word.word == "zebra" and not word.is_known


def test_the_table_forgets_the_rarest_words_beyond_its_limit():
    table = WordTable[str](2, limit=10)
    for i in range(40):
        table.add(["often", f"once {i}"], np.ones((2, 2)) / 2, np.ones((2, 2)))
    assert len(table.rows) <= 12 and table.n_forgotten >= 28
    assert table.counts[table.rows["often"]] == 40 and table.weight(table.rows["often"], 1) == pytest.approx(0.5)
    assert hop_words.MOST_CELLS // WordTable(1000).limit == 1000


def test_places_are_bounded_and_those_of_the_strongest_words_stay(designed, monkeypatch):
    monkeypatch.setattr(hop_words, "MOST_READ", 6)
    monkeypatch.setattr(hop_sums, "CHUNK", 10)
    model = designed([0, 0, 0, 5.0, 5.0, 0])
    texts = [f"stray{i} was good the rare{i}, cake cake" for i in range(200)] + ["the cake was bad"] * 20
    kept = []
    trim = hop_words.Places.trim
    monkeypatch.setattr(
        hop_words.Places, "trim", lambda self, table: (trim(self, table), kept.append(len(self._kept[0])))
    )
    atlas = hop_atlas(model, texts)
    assert max(kept) <= 6
    assert [word.word for word in atlas.hops[0].words] == ["good", "bad"]
    assert all(word.places for word in atlas.hops[0].words)


def test_to_dict_is_plain_and_to_html_is_a_page(designed):
    atlas = hop_atlas(designed(prefers("good"), prefers("bad")), TEXTS, file="some/where.csv")
    tree = json.loads(json.dumps(atlas.to_dict()))
    assert tree["file"] == "where.csv" and tree["n_texts"] == 10 and len(tree["hops"]) == 2
    assert tree["hops"][0]["words"][0]["places"][0]["text"]
    assert tree["needed"] == atlas.needed and tree["suggestion"] == atlas.suggestion
    assert atlas.to_html().startswith("<!doctype html>")
