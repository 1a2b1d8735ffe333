"""A tagger from a file to its answers: trained once, on sentences whose labels follow from the words around."""

import itertools
import json
import random
import shutil

import numpy as np
import pytest

from heedful.api.train import train
from heedful.cli.main import main
from heedful.errors import ConfigError, DataError, HeedfulError, ModelFolderError
from heedful.explain.attention.explanation import LEAVE_ONE_OUT
from heedful.explain.hops.statistics import hop_atlas
from heedful.jobs.evaluate import evaluate_file
from heedful.runtime.model import load
from heedful.runtime.softmax import softmax
from heedful.tasks.tag.crf.marginals import marginals
from heedful.tasks.tag.crf.viterbi import viterbi
from heedful.tasks.tag.model import Tagger
from heedful.text.vocab import UNKNOWN

NAMES, PLACES = ("Kim", "Lee", "Ada", "Bo", "Zoe"), ("Paris", "Rome", "Oslo")
TINY = {"task": "tag", "units": 12, "embed_width": 12, "letters": 8, "epochs": 6, "lr": 0.02, "dropout": 0.1}
TEXT = "Mr Kim Lee saw Oslo."
LABELS = ("O", "B-per", "I-per", "O", "B-loc", "O")


def sentences(n, seed):
    draw = random.Random(seed)
    for _ in range(n):
        first, last, place = draw.choice(NAMES), draw.choice(NAMES), draw.choice(PLACES)
        words = ["Mr", first, last, draw.choice(("saw", "met")), place, "."]
        yield list(zip(words, LABELS, strict=True))


def write(path, n, seed):
    text = "".join("".join(f"{t}\t{g}\n" for t, g in one) + "\n" for one in sentences(n, seed))
    path.write_text("token\ttag\n\n" + text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tagger")


@pytest.fixture(scope="module", params=[True, False], ids=["crf", "no crf"])
def model(request, folder) -> Tagger:
    data, valid = write(folder / "train.tsv", 120, 0), write(folder / "dev.tsv", 20, 1)
    out = folder / f"model {request.param}"
    return train(data, out, valid=str(valid), crf=request.param, **TINY)


def test_it_learns_and_keeps_what_it_learned(model):
    assert isinstance(model, Tagger)
    assert model.facts.metrics["f1"] == 1.0
    assert model.facts.parity < 1e-5
    assert load(model.path).predict(TEXT) == model.predict(TEXT) == LABELS
    assert (model.steps is not None) == model.config.model.crf


def test_texts_and_tokens_and_many_of_either_are_answered_in_order(model):
    tokens = ["Mr", "Kim", "Lee", "saw", "Oslo", "."]
    assert model.predict([tokens, TEXT, [], ""]) == [LABELS, LABELS, (), ()]
    assert model.predict([TEXT]) == [LABELS]


def test_company_changes_nothing(model):
    texts = [" ".join(word for word, _ in one) for one in sentences(10, 2)]
    together = model.predict_proba(texts)
    for text, chances in zip(texts, together, strict=True):
        np.testing.assert_allclose(model.predict_proba(text), chances, atol=1e-5)


def test_tags_say_where_each_token_stands_and_how_sure_it_is(model):
    tags = model.tag(TEXT)
    assert tags.tokens == ("Mr", "Kim", "Lee", "saw", "Oslo", ".")
    assert [(s["kind"], s["text"]) for s in tags.spans] == [("per", "Kim Lee"), ("loc", "Oslo")]
    assert all(TEXT[s["start"] : s["end"]] == s["text"] for s in tags.spans)
    chances = model.predict_proba(TEXT)
    np.testing.assert_allclose(chances.sum(1), 1.0, atol=1e-6)
    np.testing.assert_allclose(tags.probabilities, chances.max(1), atol=1e-6)


def test_probabilities_are_those_of_all_rows_of_labels(model):
    scores = model.scores([["Kim", "saw", "Oslo"]])[0]
    if model.steps is None:
        np.testing.assert_allclose(model.predict_proba([["Kim", "saw", "Oslo"]])[0], softmax(scores), atol=1e-6)
        assert model.best(scores).tolist() == scores.argmax(1).tolist()
        return
    steps, n = model.steps.astype(np.float64), len(model.labels)
    rows = list(itertools.product(range(n), repeat=3))
    totals = np.array([_total(scores, steps, row) for row in rows])
    shares = np.exp(totals - np.logaddexp.reduce(totals))
    by_hand = np.zeros((3, n))
    for row, share in zip(rows, shares, strict=True):
        by_hand[range(3), row] += share
    np.testing.assert_allclose(model.predict_proba([["Kim", "saw", "Oslo"]])[0], by_hand, atol=1e-6)
    assert tuple(viterbi(scores, model.steps)) == rows[int(totals.argmax())]


def _total(scores, steps, row):
    inside = sum(steps[i, j] for i, j in itertools.pairwise(row))
    return steps[-1, row[0]] + steps[row[-1], -1] + inside + sum(scores[t, label] for t, label in enumerate(row))


def test_no_span_begins_inside(model):
    if model.steps is None:
        return
    draw = random.Random(3)
    words = [*NAMES, *PLACES, "Mr", "saw", ".", "unheard"]
    for _ in range(20):
        labels = model.predict([[draw.choice(words) for _ in range(6)]])[0]
        for before, label in itertools.pairwise(("O", *labels)):
            assert label[0] != "I" or before[1:] == label[1:]


def test_marginals_of_long_texts_do_not_overflow():
    scores = np.full((500, 3), 80.0, np.float32)
    found = marginals(scores, np.zeros((4, 4), np.float32))
    np.testing.assert_allclose(found, 1 / 3)
    assert marginals(np.zeros((0, 3), np.float32), np.zeros((4, 4), np.float32)).shape == (0, 3)


def test_what_each_word_looked_at_sums_to_one(model):
    found = model.explain(TEXT)
    assert found.labels == LABELS
    assert found.weights.shape == (6, 6)
    np.testing.assert_allclose(found.weights.sum(1), 1.0, atol=1e-5)
    assert [TEXT[w.start : w.end] for w in found.words] == [w.text for w in found.words]
    assert found.top(1, 6)[0][1] == found.weights[1].max()
    json.loads(json.dumps(found.to_dict(), allow_nan=False))


def test_leaving_words_out_is_asked_about_one_label(model):
    tokens = ["Mr", "Kim", "Lee", "saw", "Oslo", "."]
    found = model.explain([tokens], word=3)[0]
    at, label = 2, model.labels.index("I-per")
    assert (found.label, found.target) == ("I-per", "I-per")
    whole = model.predict_proba([tokens])[0][at, label]
    for j, effect in enumerate(found.effects[LEAVE_ONE_OUT]):
        if j == at:
            assert np.isnan(effect)
            continue
        rest = [token for i, token in enumerate(tokens) if i != j]
        assert effect == pytest.approx(whole - model.predict_proba([rest])[0][at - (j < at), label], abs=1e-5)
    np.testing.assert_allclose(found.weights[0], model.explain([tokens])[0].weights[at], atol=1e-6)
    assert "“Lee”" in found.notes[0]
    json.loads(json.dumps(found.to_dict(), allow_nan=False))


def test_another_label_can_be_asked_about(model):
    found = model.explain(TEXT, word=2, label="B-loc")
    assert (found.label, found.target) == ("B-per", "B-loc")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"word": 7}, "there is no word 7: expected 1 to 6"),
        ({"word": 0}, "there is no word 0"),
        ({"word": 1, "label": "B-dog"}, "no label 'B-dog'"),
        ({"word": 1, "methods": "gradient"}, "gradient is not there for taggers"),
        ({"word": 1, "methods": "guessing"}, "no method 'guessing'"),
    ],
)
def test_what_cannot_be_explained_is_said(model, options, problem):
    with pytest.raises(HeedfulError, match=problem):
        model.explain(TEXT, **options)


def test_wrong_inputs_are_refused(model):
    for wrong in (3, [3], [["a", 3]]):
        with pytest.raises(HeedfulError, match="expected"):
            model.predict(wrong)
    with pytest.raises(HeedfulError, match="labels each token and has no embed"):
        model.embed(TEXT)
    with pytest.raises(HeedfulError, match="has no flip: see explain"):
        model.flip(TEXT)
    with pytest.raises(HeedfulError, match="has no hops to describe"):
        hop_atlas(model, [TEXT])


def test_an_unknown_word_is_still_read_by_its_letters(model):
    features = model.featuriser.features(["Oslo", "Oslu"])
    assert features.arrays["ids"].tolist()[1] == UNKNOWN != features.arrays["ids"].tolist()[0]
    assert [word.is_known for word in model.explain([["Oslo", "Oslu"]])[0].words] == [True, False]


def test_evaluation_counts_spans(model, folder):
    figures = evaluate_file(model, folder / "dev.tsv")
    assert figures.f1 == 1.0
    assert figures.n_spans == 40
    assert figures.sentence.startswith("F1 1.0000")


def test_tags_that_the_model_never_met_are_missed_and_a_file_of_others_is_refused(model, folder):
    (folder / "more.tsv").write_text("Mr\tO\nKim\tB-dog\n", encoding="utf-8")
    assert evaluate_file(model, folder / "more.tsv").recall == 0.0
    (folder / "other.tsv").write_text("Mr\tNOUN\nKim\tVERB\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"no tag here .* Here are: NOUN, VERB; it knows: B-loc"):
        evaluate_file(model, folder / "other.tsv")


def test_the_command_line_prints_what_can_be_read_again(model, folder, capsys):
    assert main(["predict", str(model.path), str(folder / "dev.tsv"), "-q"]) == 0
    printed = folder / "printed.conll"
    printed.write_text(capsys.readouterr().out, encoding="utf-8")
    assert evaluate_file(model, printed).f1 == 1.0


def test_the_command_line_explains(model, folder, capsys):
    assert main(["explain", str(model.path), TEXT]) == 0
    assert "[Kim Lee|per]" in capsys.readouterr().out
    assert main(["explain", str(model.path), TEXT, "--word", "2"]) == 0
    assert "This is about the label of word 2" in capsys.readouterr().out
    assert main(["explain", str(model.path), TEXT, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["words"][1]["tag"] == "B-per"
    for flag, more in (("--html", []), ("--html", ["--word", "2"]), ("--svg", []), ("--svg", ["--word", "2"])):
        out = folder / f"shown{len(more)}.{flag[2:]}"
        assert main(["explain", str(model.path), TEXT, flag, str(out), *more]) == 0
        assert "Oslo" in out.read_text(encoding="utf-8")
    assert main(["explain", str(model.path), TEXT, "--hops"]) == 2
    assert main(["predict", str(model.path), str(folder / "dev.tsv"), "-o", str(folder / "out.csv"), "-q"]) == 0
    assert "O B-per I-per O B-loc O" in (folder / "out.csv").read_text(encoding="utf-8")
    assert main(["evaluate", str(model.path), str(folder / "dev.tsv"), "--json"]) == 0


def test_texts_of_a_file_are_split_first(model, folder, capsys):
    (folder / "lines.txt").write_text(f"{TEXT}\n", encoding="utf-8")
    (folder / "lines.jsonl").write_text(json.dumps({"text": TEXT}) + "\n", encoding="utf-8")
    for name in ("lines.txt", "lines.jsonl"):
        assert main(["predict", str(model.path), str(folder / name), "-q"]) == 0
        assert capsys.readouterr().out.startswith("Mr\tO\nKim\tB-per\n")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"tokens": "subwords"}, "it reads words"),
        ({"pooler": "mean"}, "needs pooler each"),
        ({"one_hot": True}, "not for taggers"),
        ({"tune_vectors": False}, "random vectors would never be trained"),
    ],
)
def test_settings_that_do_not_fit_are_refused(folder, settings, problem):
    data = write(folder / "train.tsv", 20, 0)
    with pytest.raises(ConfigError, match=problem):
        train(data, folder / "never", **{**TINY, **settings})
    assert not (folder / "never").exists()


def test_a_tagger_may_begin_from_another_with_other_labels(model, folder):
    other = folder / "other labels.tsv"
    other.write_text((folder / "train.tsv").read_text().replace("-per", "-human").replace("-loc", "-spot"))
    once = {"task": "tag", "epochs": 2, "lr": 0.02, "dropout": 0.1, "crf": True, "overwrite": True}
    begun = train(other, folder / "begun", start=str(model.path), **once)
    fresh = train(other, folder / "fresh", start="none", **{**TINY, **once})
    assert begun.predict(TEXT)[1:3] == ("B-human", "I-human")
    assert begun.facts.metrics["loss"] < fresh.facts.metrics["loss"]
    assert begun.featuriser.vocab.words == model.featuriser.vocab.words
    assert begun.config.model.units == TINY["units"]


def test_a_start_that_is_no_tagger_and_no_encoder_of_its_kind_is_refused(folder, tiny_folder):
    data = write(folder / "train.tsv", 20, 0)
    problems = {str(tiny_folder): "starts from a tagger of words or an encoder", "en-tiny": "bilstm over subwords"}
    for start, problem in problems.items():
        with pytest.raises(ModelFolderError, match=problem):
            train(data, folder / "never", **TINY, start=start)


def test_a_tagger_may_begin_from_a_shipped_encoder(folder):
    begun = train(write(folder / "train.tsv", 40, 0), folder / "from en-base", **TINY, start="en-base")
    assert begun.config.train.start == "en-base"
    assert begun.featuriser.shape.names == ("ids", "letters", "pieces")
    assert begun.predict(TEXT) == LABELS
    assert begun.facts.parity < 1e-5


def test_without_letters_and_without_a_valid_file_it_works_too(folder):
    data = write(folder / "train.tsv", 40, 0)
    made = train(data, folder / "plain", **{**TINY, "letters": 0, "epochs": 1})
    assert made.featuriser.shape.names == ("ids",)
    assert len(made.predict(TEXT)) == 6


def test_a_graph_of_another_model_is_refused(folder, model, tmp_path, reseal):
    import shutil

    other = train(write(folder / "train.tsv", 20, 0), tmp_path / "other", **{**TINY, "units": 6, "epochs": 1})
    shutil.copy(other.path / "model.onnx", tmp_path / "kept.onnx")
    shutil.copytree(model.path, tmp_path / "mixed")
    shutil.copy(tmp_path / "kept.onnx", tmp_path / "mixed" / "model.onnx")
    reseal(tmp_path / "mixed")
    with pytest.raises(ModelFolderError):
        load(tmp_path / "mixed")


def test_a_crf_that_does_not_fit_the_labels_is_refused(model, tmp_path):
    """Found by `benchmarks.fuzz_folder`: the graph gives another array as the transitions."""
    if not model.config.model.crf:
        pytest.skip("has no transitions")
    import onnx
    from benchmarks.crafted import reseal

    folder = tmp_path / "model"
    shutil.copytree(model.path, folder)
    graph = onnx.load(folder / "model.onnx")
    for array in graph.graph.initializer:
        if tuple(array.dims) == model.steps.shape:
            array.CopyFrom(onnx.numpy_helper.from_array(np.zeros((23, 6), dtype=np.float32), array.name))
    onnx.save(graph, folder / "model.onnx")
    reseal(folder)
    with pytest.raises(ModelFolderError, match=r"the CRF has \(23, 6\) transitions, expected \(\d+, \d+\)"):
        load(folder)
