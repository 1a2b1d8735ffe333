"""SentenceEncoder, the scikit-learn step."""

from __future__ import annotations

import pickle
import shutil

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

from heedful.errors import HeedfulError, ModelFolderError
from heedful.estimators import SentenceEncoder

TEXTS = ["the parcel was great", "awful and slow", ""]


@pytest.fixture
def step(pretrained_folder):
    return SentenceEncoder(str(pretrained_folder))


@pytest.mark.parametrize(
    "name",
    [
        "check_do_not_raise_errors_in_init_or_set_params",
        "check_estimator_repr",
        "check_get_params_invariance",
        "check_mixin_order",
        "check_no_attributes_set_in_init",
        "check_parameters_default_constructible",
        "check_set_params",
        "check_valid_tag_types",
    ],
)
def test_scikit_learns_checks_that_need_no_table_pass(name, step):
    getattr(estimator_checks, name)("SentenceEncoder", step)


def test_it_gives_the_models_vectors_fitted_or_not(step, pretrained):
    expected = pretrained.embed(TEXTS, normalize=True)
    np.testing.assert_allclose(step.transform(TEXTS), expected, atol=1e-6)
    np.testing.assert_allclose(clone(step).fit(TEXTS).transform(np.array(TEXTS, dtype=object)), expected, atol=1e-6)
    np.testing.assert_allclose(clone(step).fit_transform(TEXTS), expected, atol=1e-6)


def test_its_parameters_are_the_forms_of_a_vector(pretrained_folder, pretrained):
    step = SentenceEncoder(str(pretrained_folder), normalize=False, width=4, dtype="int8")
    own = {"model": str(pretrained_folder), "normalize": False, "width": 4, "dtype": "int8"}
    assert step.get_params() == {**own, "normalise": None}  # the old spelling
    np.testing.assert_array_equal(step.transform(TEXTS), pretrained.embed(TEXTS, width=4, dtype="int8"))
    assert clone(step).get_params() == step.get_params() and not hasattr(clone(step), "model_")
    with pytest.raises(HeedfulError, match="width is 99"):
        step.set_params(width=99).transform(TEXTS)


def test_fit_changes_no_parameter(step):
    before = step.get_params()
    assert step.fit(TEXTS) is step and step.get_params() == before
    assert {name for name in vars(step) if name not in before} == {"model_", "loaded_from_"}


def test_in_a_pipeline_it_is_the_models_vectors_that_are_learned_from(step, pretrained, examples):
    made = examples(80)
    texts, labels = [e.text for e in made], [e.label for e in made]
    pipeline = make_pipeline(step, LogisticRegression(C=100, max_iter=2_000))
    pipeline.fit(texts, labels)
    by_hand = LogisticRegression(C=100, max_iter=2_000).fit(pretrained.embed(texts, normalize=True), labels)
    expected = by_hand.predict_proba(pretrained.embed(texts, normalize=True))
    np.testing.assert_allclose(pipeline.predict_proba(texts), expected, atol=1e-3)
    again = pickle.loads(pickle.dumps(pipeline))
    np.testing.assert_array_equal(again.predict(texts), pipeline.predict(texts))
    assert clone(pipeline).fit(texts, labels).score(texts, labels) == pipeline.score(texts, labels)


@pytest.mark.parametrize("width", [None, 5])
def test_every_number_has_a_name(pretrained_folder, width):
    step = SentenceEncoder(str(pretrained_folder), width=width)
    names = step.get_feature_names_out()
    assert list(names[:2]) == ["vector0", "vector1"] and len(names) == (width or 16)
    assert step.transform(TEXTS).shape == (3, len(names))


def test_pandas_comes_out_where_asked(step):
    pytest.importorskip("pandas")
    frame = step.set_output(transform="pandas").fit_transform(TEXTS)
    assert list(frame.columns) == list(step.get_feature_names_out()) and frame.shape == (3, 16)


def test_a_pickle_gives_the_same_fitted_or_not(step):
    expected = clone(step).transform(TEXTS)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(step)).transform(TEXTS), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(step.fit(TEXTS))).transform(TEXTS), expected)


def test_another_model_is_taken_where_nothing_was_fitted(step, pretrained_folder, tmp_path):
    step.transform(TEXTS)
    step.set_params(model=str(shutil.copytree(pretrained_folder, tmp_path / "other")))
    step.transform(TEXTS)
    assert step.get_feature_names_out().shape == (16,)
    assert step.model_.path == tmp_path / "other"


@pytest.mark.parametrize("wrong", [["a", 3], [None], [["a"]]])
def test_what_is_not_a_text_is_refused(step, wrong):
    for ask in (step.fit, step.transform):
        with pytest.raises(ValueError, match="expected texts"):
            ask(wrong)
    with pytest.raises(HeedfulError, match="found one text, expected a list"):
        step.transform("one text")


def test_a_model_that_is_not_there_is_one_message(tmp_path):
    with pytest.raises(ModelFolderError, match="is not a folder"):
        SentenceEncoder(str(tmp_path / "nothing")).fit(TEXTS)
