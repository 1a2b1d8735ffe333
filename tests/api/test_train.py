"""Training, evaluating and predicting with data in memory."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import datasets
import heedful
from heedful.errors import ConfigError, DataError, InputError

GOOD, BAD = "the soup was warm and lovely", "a cold and dreadful meal"
TEXTS = [f"{GOOD if i % 2 else BAD} {i}" for i in range(40)]
LABELS = ["good" if i % 2 else "bad" for i in range(40)]
ROWS = [{"review": text, "mark": label, "id": i} for i, (text, label) in enumerate(zip(TEXTS, LABELS, strict=True))]
NAMED = {"text": "review", "label": "mark"}
TINY = {"start": "none", "embed_width": 8, "units": 4, "attention_width": 4, "n_hops": 2, "epochs": 2, "seed": 1}
FORMS = {
    "pair of lists": ((TEXTS, LABELS), {}),
    "pair of arrays": ((np.array(TEXTS), np.array(LABELS)), {}),
    "pair of series": ((pd.Series(TEXTS), pd.Series(LABELS)), {}),
    "list of dicts": (ROWS, NAMED),
    "dict of columns": ({"review": TEXTS, "mark": LABELS}, NAMED),
    "pandas": (pd.DataFrame(ROWS), NAMED),
    "pandas categories": (pd.DataFrame(ROWS).astype({"mark": "category"}), NAMED),
    "polars": (pl.DataFrame(ROWS), NAMED),
    "polars, lazy": (pl.DataFrame(ROWS).lazy(), NAMED),
    "arrow": (pa.Table.from_pylist(ROWS), NAMED),
    "dataset": (datasets.Dataset.from_list(ROWS), NAMED),
}


def weights_of(model):
    return (model.path / "weights.safetensors").read_bytes()


@pytest.fixture(scope="module")
def from_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("file")
    pd.DataFrame(ROWS).to_csv(folder / "rows.csv", index=False)
    return heedful.train(folder / "rows.csv", folder / "model", **NAMED, **TINY)


@pytest.mark.parametrize("form", FORMS)
def test_data_in_memory_trains_the_model_of_a_file(from_file, tmp_path, form):
    data, names = FORMS[form]
    model = heedful.train(data, tmp_path / "model", **names, **TINY)
    assert isinstance(model, heedful.Classifier)
    assert weights_of(model) == weights_of(from_file)
    with pytest.warns(UserWarning, match="36 of 40 rows were in the training data"):
        assert model.evaluate(data).accuracy == heedful.evaluate(from_file, data, **names).accuracy


def test_class_labels_of_a_dataset_have_their_names(tmp_path):
    features = datasets.Features(
        {"text": datasets.Value("string"), "label": datasets.ClassLabel(names=["bad", "good"])}
    )
    columns = {"text": TEXTS, "label": [int(label == "good") for label in LABELS]}
    model = heedful.train(datasets.Dataset.from_dict(columns, features=features), tmp_path / "model", **TINY)
    assert model.labels == ("bad", "good")


def test_validation_data_may_be_in_memory(tmp_path):
    model = heedful.train((TEXTS, LABELS), tmp_path / "model", valid=(TEXTS[:10], LABELS[:10]), **TINY)
    assert model.facts.data["valid_texts"] == 10


def test_a_matrix_of_labels_is_multilabel(tmp_path):
    matrix = np.array([[i % 2, 1 - i % 2, i % 3 == 0] for i in range(40)], dtype=int)
    model = heedful.train((TEXTS, matrix), tmp_path / "model", **TINY)
    assert isinstance(model, heedful.MultilabelClassifier)
    assert model.labels == ("1", "2", "3")
    assert isinstance(model.predict(TEXTS[0]), tuple)
    with pytest.warns(UserWarning, match="training data"):
        assert model.evaluate((TEXTS, matrix)).n


def test_numbers_are_regressed(tmp_path):
    model = heedful.train((TEXTS, [float(i % 2) for i in range(40)]), tmp_path / "model", task="regress", **TINY)
    assert isinstance(model, heedful.Regressor)
    assert isinstance(model.predict(TEXTS[0]), float)
    with pytest.raises(TypeError):
        model.predict(TEXTS[0], top=2)


def test_pairs_in_a_frame(tmp_path):
    frame = pd.DataFrame({"premise": TEXTS, "hypothesis": TEXTS[::-1], "label": LABELS})
    settings = {**TINY, "hidden": 8, "gate_units": 4}
    model = heedful.train(frame, tmp_path / "model", task="pair", **settings)
    assert isinstance(model, heedful.PairModel)
    assert model.predict(frame) == model.predict(list(zip(frame["premise"], frame["hypothesis"], strict=True)))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.Table.from_pylist, datasets.Dataset.from_list, list])
def test_tables_are_inputs(from_file, make):
    table = make(ROWS)
    assert from_file.predict(table) == from_file.predict(TEXTS)
    np.testing.assert_array_equal(from_file.predict_proba(table), from_file.predict_proba(TEXTS))
    np.testing.assert_array_equal(from_file.embed(table), from_file.embed(TEXTS))
    assert [explained.text for explained in from_file.explain(table)] == TEXTS


def test_a_column_of_texts_is_an_input(from_file):
    for column in (pd.Series(TEXTS), pl.Series(TEXTS), np.array(TEXTS)):
        assert from_file.predict(column) == from_file.predict(TEXTS)


def test_a_path_is_a_file_of_texts(from_file, tmp_path):
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(TEXTS), encoding="utf-8")
    assert from_file.predict(file) == from_file.predict(TEXTS)


def test_the_most_probable_labels(from_file):
    ranked = from_file.predict(TEXTS[:3], top=2)
    probabilities = from_file.predict_proba(TEXTS[:3])
    for row, labels in zip(probabilities, ranked, strict=True):
        assert labels == sorted(zip(from_file.labels, row.tolist(), strict=True), key=lambda pair: -pair[1])
    assert from_file.predict(TEXTS[0], top=1) == ranked[0][:1]
    with pytest.raises(TypeError, match="top is 0"):
        from_file.predict(TEXTS[0], top=0)


@pytest.mark.parametrize(
    ("data", "settings", "message"),
    [
        (pd.DataFrame({"text": ["a", None], "label": ["x", "y"]}), {}, "the DataFrame, row 2: text is None"),
        (pd.DataFrame({"text": ["a", "b"], "label": ["x", np.nan]}), {}, "the DataFrame, row 2: label is empty"),
        (pl.DataFrame({"words": ["a"], "mark": ["b"], "more": [1]}), {}, "the DataFrame: which column is the"),
        (pd.DataFrame({"text": ["a"], "label": ["b"]}), {"text": "texts"}, "Did you mean text"),
        ([{"text": "a", "label": "x"}, {"text": "b"}], {}, "the list of dicts, row 2: no 'label'"),
        ((["a"], ["x", "y"]), {}, "1 texts and 2 labels"),
        (pd.DataFrame({"text": [], "label": []}), {}, "no examples"),
    ],
)
def test_faults_name_the_row(tmp_path, data, settings, message):
    with pytest.raises((DataError, InputError), match=message):
        heedful.train(data, tmp_path / "model", **settings, **TINY)
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("data", [3, {1, 2}, object()])
def test_other_data_is_refused(tmp_path, data):
    with pytest.raises(TypeError, match="expected the path of a file"):
        heedful.train(data, tmp_path / "model")


def test_a_misspelt_setting_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"epoch is not a setting. Did you mean epochs"):
        heedful.train((TEXTS, LABELS), tmp_path / "model", epoch=3)


def test_progress_is_shown_on_request(tmp_path, capsys):
    heedful.train((TEXTS, LABELS), tmp_path / "quiet", **TINY)
    assert capsys.readouterr().err == ""
    heedful.train((TEXTS, LABELS), tmp_path / "model", progress=True, **TINY)
    assert "epoch  2" in capsys.readouterr().err


def test_audit_takes_data_in_memory(from_file):
    audit = heedful.audit(from_file, pd.DataFrame(ROWS), keep=False)
    assert audit.n_texts == len(TEXTS)
    assert audit.file == "the DataFrame"


def test_a_dataset_of_several_splits_is_refused(tmp_path):
    splits = datasets.DatasetDict({"train": datasets.Dataset.from_list(ROWS)})
    with pytest.raises(TypeError, match=r"several splits \(train\): pass one of them"):
        heedful.train(splits, tmp_path / "model")


def test_a_table_without_the_column_of_the_model_is_refused(from_file):
    frame = pd.DataFrame({"body": TEXTS, "subject": TEXTS, "mark": LABELS})
    with pytest.raises(DataError, match="The model reads 'review': rename a column, or pass the texts of one column"):
        from_file.predict(frame.rename(columns={"body": "a", "subject": "b"}))


def test_audit_takes_a_list_of_texts(from_file):
    audit = heedful.audit(from_file, TEXTS, keep=False)
    assert (audit.n_texts, audit.accuracy, audit.file) == (len(TEXTS), None, "the list of texts")


def test_bad_rows_of_a_table_may_be_skipped(tmp_path):
    frame = pd.DataFrame({"text": [*TEXTS, None], "label": [*LABELS, "good"]})
    model = heedful.train(frame, tmp_path / "model", skip_bad=True, **TINY)
    assert model.facts.data["train_texts"] + model.facts.data["valid_texts"] == len(TEXTS)


def test_a_table_and_a_file_go_together(tmp_path):
    file = tmp_path / "rows.csv"
    pd.DataFrame(ROWS[:10]).to_csv(file, index=False)
    for name, data, valid in (("a", pd.DataFrame(ROWS), file), ("b", file, pd.DataFrame(ROWS[10:20]))):
        model = heedful.train(data, tmp_path / name, valid=valid, **NAMED, **TINY)
        assert model.facts.data["valid_texts"] == 10


def test_validation_data_alone_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"data\.train is not set"):
        heedful.train(valid=(TEXTS, LABELS), out=tmp_path / "model")
