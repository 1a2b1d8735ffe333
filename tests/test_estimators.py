from __future__ import annotations

import copy
import csv
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import check_estimator

from heedful import load
from heedful.cli.main import main
from heedful.data.read import read_examples
from heedful.data.samples.customer_messages import messages_path
from heedful.errors import ConfigError, HeedfulError, ModelFolderError
from heedful.estimators import SelfAttentiveClassifier, SelfAttentiveRegressor

TINY = {"units": 8, "n_hops": 2, "epochs": 14, "batch_size": 8, "lr": 0.02, "settings": {"embed_width": 8}}


@pytest.fixture(scope="module")
def texts(examples):
    return [e.text for e in examples(80)]


@pytest.fixture(scope="module")
def labels(examples):
    return [e.label for e in examples(80)]


@pytest.fixture(scope="module")
def fitted(texts, labels):
    return SelfAttentiveClassifier(**TINY).fit(texts, labels)


def lower(values):
    return [value.lower() for value in values]


@pytest.mark.filterwarnings("ignore:Can't test estimator:sklearn.exceptions.SkipTestWarning")
def test_check_estimator_finds_no_fault():
    """For texts it tries cloning only: all its other checks fit tables of numbers."""
    results = check_estimator(SelfAttentiveClassifier(**TINY), on_skip=None)
    assert results and all(r["status"] == "passed" for r in results)


@pytest.mark.parametrize(
    "name",
    [
        "check_do_not_raise_errors_in_init_or_set_params",
        "check_estimator_repr",
        "check_estimator_tags_renamed",
        "check_get_params_invariance",
        "check_mixin_order",
        "check_no_attributes_set_in_init",
        "check_parameters_default_constructible",
        "check_set_params",
        "check_valid_tag_types",
    ],
)
def test_scikit_learns_checks_that_need_no_table_pass(name):
    getattr(estimator_checks, name)("SelfAttentiveClassifier", SelfAttentiveClassifier(**TINY))


def test_fit_returns_itself_and_changes_no_parameter(texts, labels):
    model = SelfAttentiveClassifier(**{**TINY, "epochs": 1})
    before = model.get_params()
    assert model.fit(texts, labels) is model and model.get_params() == before
    assert {name for name in vars(model) if name not in before and not name.endswith("_")} == set()


def test_answers_change_nothing_and_do_not_depend_on_company(fitted, texts):
    before = dict(vars(fitted))
    shares = fitted.predict_proba(texts)
    np.testing.assert_allclose(fitted.predict_proba(texts[::-1])[::-1], shares, atol=1e-5)
    np.testing.assert_allclose(np.vstack([fitted.predict_proba([text]) for text in texts]), shares, atol=1e-5)
    assert vars(fitted) == before


def test_it_learns_and_scores(fitted, texts, labels):
    answers = fitted.predict(texts)
    assert fitted.score(texts, labels) == pytest.approx(np.mean(answers == np.array(labels)))
    assert fitted.score(texts, labels) > 0.9
    assert fitted.classes_.tolist() == ["bad", "good"]


def test_probabilities_are_in_the_order_of_the_classes(fitted, texts):
    shares = fitted.predict_proba(texts)
    np.testing.assert_allclose(shares.sum(1), 1, atol=1e-6)
    np.testing.assert_array_equal(fitted.classes_[shares.argmax(1)], fitted.predict(texts))


def test_whole_numbers_stay_numbers_in_their_own_order(texts, labels):
    """As strings 10 comes before 2, as numbers after it: columns must follow the numbers."""
    numbers = np.array([2 if label == "bad" else 10 for label in labels])
    model = SelfAttentiveClassifier(**TINY).fit(texts, numbers)
    assert model.model_.labels == ("10", "2")
    assert model.classes_.tolist() == [2, 10]
    answers = model.predict(texts)
    assert answers.dtype == numbers.dtype and np.mean(answers == numbers) > 0.9
    np.testing.assert_array_equal(model.predict_proba(texts)[:, 1], model.model_.predict_proba(texts)[:, 0])


@pytest.mark.parametrize("kind", [tuple, np.array, lambda x: np.array(x, dtype=object)])
def test_texts_may_come_as_lists_tuples_or_arrays(fitted, texts, kind):
    np.testing.assert_array_equal(fitted.predict(kind(texts)), fitted.predict(texts))


def test_true_and_false_are_labels_too(texts, labels):
    truth = np.array(labels) == "good"
    answers = SelfAttentiveClassifier(**TINY).fit(texts, truth).predict(texts)
    assert answers.dtype == bool and np.mean(answers == truth) > 0.9


def test_the_same_random_state_gives_the_same_answers(texts, labels, fitted):
    again = clone(fitted).set_params(random_state=0).fit(texts, labels)
    other = clone(fitted).set_params(random_state=1).fit(texts, labels)
    np.testing.assert_array_equal(again.predict_proba(texts), fitted.predict_proba(texts))
    assert np.abs(other.predict_proba(texts) - fitted.predict_proba(texts)).max() > 1e-6


def test_it_works_in_a_pipeline(texts, labels):
    pipe = Pipeline([("lower", FunctionTransformer(lower)), ("model", SelfAttentiveClassifier(**TINY))])
    shouted = [text.upper() for text in texts]
    assert pipe.fit(shouted, labels).score(texts, labels) > 0.9


def test_its_vectors_feed_another_model(fitted, texts, labels):
    vectors = fitted.transform(texts)
    np.testing.assert_array_equal(vectors, fitted.model_.embed(texts))
    after = make_pipeline(FunctionTransformer(fitted.transform), LogisticRegression()).fit(texts, labels)
    assert after.score(texts, labels) > 0.9


def test_grid_search_tries_every_setting(texts, labels):
    grid = {"n_hops": [1, 2], "epochs": [1, 6]}
    search = GridSearchCV(SelfAttentiveClassifier(**TINY), grid, cv=2, error_score="raise").fit(texts, labels)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_params_["epochs"] == 6
    assert search.best_estimator_.model_.facts.n_hops == search.best_params_["n_hops"]


def test_cross_validation_scores_each_fold(texts, labels):
    scores = cross_val_score(
        SelfAttentiveClassifier(**{**TINY, "epochs": 16}), texts, labels, cv=2, error_score="raise"
    )
    assert scores.shape == (2,) and scores.mean() > 0.7


def test_explain_is_that_of_the_model(fitted, texts):
    found, expected = fitted.explain(texts[:3]), fitted.model_.explain(texts[:3])
    assert [e.to_dict() for e in found] == [e.to_dict() for e in expected]


def test_a_saved_model_gives_equal_answers(fitted, texts, tmp_path):
    fitted.save(tmp_path / "model")
    np.testing.assert_array_equal(load(tmp_path / "model").predict_proba(texts), fitted.predict_proba(texts))
    with pytest.raises(ModelFolderError, match="already exists"):
        fitted.save(tmp_path / "model")
    fitted.save(tmp_path / "model", overwrite=True)


def test_fitting_leaves_nothing_in_the_temporary_folder(texts, labels, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    SelfAttentiveClassifier(**{**TINY, "epochs": 1}).fit(texts, labels)
    assert list(tmp_path.iterdir()) == []


def test_faults_are_told(fitted, texts, labels):
    model = SelfAttentiveClassifier(**TINY)
    for method in (model.predict, model.predict_proba, model.transform, model.explain):
        with pytest.raises(NotFittedError):
            method(texts)
    with pytest.raises(NotFittedError):
        model.save("nowhere")
    with pytest.raises(ValueError, match="only one class"):
        model.fit(["a", "b"], [1, 1])
    with pytest.raises(ValueError, match="found 2 texts and labels of shape"):
        model.fit(["a", "b"], [1, 2, 3])
    with pytest.raises(ValueError, match="expected one label per text"):
        model.fit(texts, None)
    with pytest.raises(ValueError, match="found int 3, expected texts"):
        fitted.predict(["a", 3])
    with pytest.raises(HeedfulError, match="expected a list of texts"):
        fitted.predict("one text")
    with pytest.raises(ConfigError, match="units is 0, expected at least 1"):
        SelfAttentiveClassifier(units=0).fit(texts, labels)
    with pytest.raises(ConfigError, match="Did you mean dropout"):
        SelfAttentiveClassifier(settings={"dropuot": 1}).fit(texts, labels)


def test_labels_of_one_text_each_can_still_be_fitted():
    model = SelfAttentiveClassifier(**{**TINY, "epochs": 1}).fit(["great", "awful"], ["a", "b"])
    assert model.predict(["great", ""]).shape == (2,)


def test_a_fitted_classifier_can_be_copied(fitted, texts):
    for copied in (copy.deepcopy(fitted), pickle.loads(pickle.dumps(fitted))):
        assert np.array_equal(copied.predict_proba(texts), fitted.predict_proba(texts))


def test_a_generator_is_a_seed_too(texts, labels):
    quick = {**TINY, "epochs": 1}
    first, second = (
        SelfAttentiveClassifier(**quick, random_state=np.random.RandomState(3)).fit(texts, labels) for _ in range(2)
    )
    assert np.array_equal(first.predict_proba(texts), second.predict_proba(texts))


@pytest.mark.parametrize("settings", [{}, {"n_hops": 3, "units": 8, "epochs": 2, "settings": {"embed_width": 8}}])
def test_it_is_the_model_of_the_command_line(settings, tmp_path):
    """From the shipped encoder the head is fitted, the second time to all texts; from scratch nothing is shared."""
    made = read_examples(messages_path("dev"), label="topic")[:60]
    file = tmp_path / "in.csv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerows([("text", "label"), *((e.text, e.label) for e in made)])
    flat = {**settings, **settings.get("settings", {})}
    flat.pop("settings", None)
    flags = [word for name, value in flat.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    assert main(["train", str(file), "-o", str(tmp_path / "command"), "-q", "--seed", "3", *flags]) == 0
    fitted = SelfAttentiveClassifier(**settings, random_state=3).fit([e.text for e in made], [e.label for e in made])
    command = load(tmp_path / "command")
    assert fitted.model_.facts.data == {**command.facts.data}
    assert fitted.files_["weights.safetensors"] == (tmp_path / "command" / "weights.safetensors").read_bytes()
    texts = [e.text for e in made]
    np.testing.assert_array_equal(fitted.predict_proba(texts), command.predict_proba(texts))


def test_a_text_may_have_several_labels(texts, labels):
    truth = np.array([[label == "good", "parcel" in text] for text, label in zip(texts, labels, strict=True)], int)
    model = SelfAttentiveClassifier(**TINY | {"epochs": 60}).fit(texts, truth)
    assert model.classes_.tolist() == [0, 1]
    answers = model.predict(texts)
    assert answers.shape == truth.shape and set(np.unique(answers)) <= {0, 1}
    assert (answers == truth).mean() > 0.9
    assert model.predict_proba(texts).shape == truth.shape
    assert model.score(texts, truth) == pytest.approx((answers == truth).all(axis=1).mean())


@pytest.mark.parametrize("wrong", [[[1, 2], [3, 4]], [[[0]], [[1]]], [1]])
def test_labels_of_another_shape_are_named(wrong):
    with pytest.raises(ValueError, match="labels of shape"):
        SelfAttentiveClassifier(**TINY).fit(["a b", "b c"], wrong)


def test_texts_may_be_a_column_of_a_frame(fitted, texts, labels):
    frame = pd.DataFrame({"review": texts, "n": range(len(texts))})
    expected = fitted.predict_proba(texts)
    np.testing.assert_array_equal(fitted.predict_proba(frame["review"]), expected)
    np.testing.assert_array_equal(fitted.predict_proba(frame[["review"]]), expected)
    named = SelfAttentiveClassifier(**{**TINY, "epochs": 1}, text="review").fit(frame, pd.Series(labels))
    np.testing.assert_array_equal(named.predict_proba(frame), named.predict_proba(frame["review"]))
    with pytest.raises(ValueError, match="no column 'body'"):
        SelfAttentiveClassifier(**TINY, text="body").fit(frame, labels)


def test_numbers_are_predicted_as_on_the_command_line(texts, labels, tmp_path):
    numbers = [2.0 if label == "good" else -1.0 for label in labels]
    settings = {**TINY, "epochs": 3}
    regressor = SelfAttentiveRegressor(**settings, random_state=1).fit(texts, numbers)
    pd.DataFrame({"text": texts, "label": numbers}).to_csv(tmp_path / "in.csv", index=False)
    flat = {**settings, **settings["settings"]}
    del flat["settings"]
    flags = [word for name, value in flat.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    out = tmp_path / "command"
    assert (
        main(["train", str(tmp_path / "in.csv"), "--task", "regress", "-o", str(out), "-q", "--seed", "1", *flags]) == 0
    )
    np.testing.assert_array_equal(regressor.predict(texts), load(out).predict(texts))
    assert regressor.score(texts, numbers) <= 1.0
    with pytest.raises(ValueError, match="expected one number per text"):
        SelfAttentiveRegressor().fit(texts, numbers[:-1])
