"""Models, metrics and explanations print as a person would want them, and are safe in a notebook."""

from __future__ import annotations

import numpy as np
import pytest
from tests.hostile_text import HOSTILE

import heedful
from heedful.explain.attention.explanation import Explanation, Word
from heedful.explain.similarity import Similarity
from heedful.runtime.public_names import RESULTS
from heedful.tasks.classify.metrics import classification_metrics
from heedful.tasks.multilabel.metrics import multilabel_metrics
from heedful.tasks.regress.metrics import regression_metrics
from heedful.tasks.tag.metrics import tag_metrics
from heedful.tasks.tag.span_metrics import span_metrics
from heedful.tasks.translate.metrics import TranslationMetrics


def of_labels(labels):
    numbers = np.arange(2 * len(labels)) % len(labels)
    return classification_metrics(numbers, numbers, labels)


def of_multilabel(labels):
    truth = np.array([[i % 2 for _ in labels] for i in range(4)], dtype=np.int8)
    return multilabel_metrics(truth, truth.astype(float), labels)


METRICS = {
    "classification": of_labels,
    "multilabel": of_multilabel,
    "tokens": lambda labels: tag_metrics([labels], [labels], labels),
    "spans": lambda labels: span_metrics([[f"B-{label}" for label in labels]], [["O" for _ in labels]]),
    "regression": lambda _: regression_metrics([1, 2, 3], [1, 2, 4]),
    "translation": lambda _: TranslationMetrics(31.2, 55.1, "nrefs:1|case:mixed", 2),
}


def test_metrics_print_as_a_table():
    assert repr(of_labels(["bad", "very good"])) == "\n".join(
        [
            "accuracy 1.000   macro F1 1.000   4 texts",
            "label      precision  recall     F1  texts",
            "bad            1.000   1.000  1.000      2",
            "very good      1.000   1.000  1.000      2",
        ]
    )
    assert repr(METRICS["regression"]([])).startswith("RMSE 0.5774   MAE 0.3333")


@pytest.mark.parametrize("kind", METRICS)
def test_no_metrics_take_more_than_12_lines(kind):
    metrics = METRICS[kind]([f"label{i:02}" for i in range(77)])
    lines = str(metrics).splitlines()
    assert str(metrics) == repr(metrics)
    assert len(lines) == 1 if kind in ("regression", "translation") else len(lines) == 12
    assert len(lines) == 1 or lines[-1].strip() == "… and 68 more"
    assert metrics._repr_html_().count("<tr>") == len(lines) - 1


@pytest.mark.parametrize("kind", METRICS)
def test_labels_are_escaped_in_a_notebook(kind):
    turned = "\u202egood\x1b[31m"
    metrics = METRICS[kind]([HOSTILE, turned, "<b>", 'x" onfocus="alert(1)'])
    page = metrics._repr_html_()
    for harmful in ("<script", "<img", "<iframe", "<svg", "<style", "<b>", "<meta", "<link", "\u202e", "\x1b"):
        assert harmful not in page
        assert harmful not in str(metrics) or harmful.startswith("<")
    assert set(page.split("<")[1:]) and all(
        tag.lstrip("/").split(">")[0].split(" ")[0] in ("p", "table", "thead", "tbody", "tr", "th", "td")
        for tag in page.split("<")[1:]
    )


def test_the_table_of_the_command_line_has_the_same_numbers(tiny_folder, tmp_path, examples, write_csv, capsys):
    from heedful.cli.main import main

    file = write_csv(tmp_path / "test.csv", examples(40, seed=9))
    assert main(["evaluate", str(tiny_folder), str(file)]) == 0
    printed = capsys.readouterr().out.splitlines()
    metrics = heedful.load(tiny_folder).evaluate(file, on_note=lambda _: None)
    rows = [line.split() for line in repr(metrics).splitlines()[2:]]
    assert printed[0] == repr(metrics).splitlines()[0]
    assert [line.split()[1:] for line in printed[2:4]] == rows


@pytest.mark.parametrize("name", [name for name, (_, names) in RESULTS.items() if "to_html" in names])
def test_no_result_prints_its_arrays(name):
    from importlib import import_module

    kind = getattr(import_module(RESULTS[name][0]), name)
    assert kind.__repr__ is Explanation.__repr__


def test_an_explanation_prints_as_plain_text(tiny_model):
    explanation = tiny_model.explain("the great parcel")
    assert repr(explanation) == str(explanation)
    assert "great" in repr(explanation) and "array(" not in repr(explanation)


def test_an_audit_with_hostile_labels_is_safe_in_a_notebook(tiny_model, examples):
    from dataclasses import replace

    audit = heedful.audit(tiny_model, [{"text": e.text, "label": e.label} for e in examples(30, seed=5)], keep=False)
    page = replace(audit, model=HOSTILE, file=HOSTILE)._repr_html_()
    assert "<script" not in page and "<img" not in page and "<iframe" not in page


def test_a_similarity_of_hostile_texts_is_safe_in_a_notebook():
    words = tuple(Word(word, 0, len(word), is_known=True) for word in HOSTILE.split())
    matrix = np.ones((len(words), len(words))) / len(words) ** 2
    page = Similarity(1.0, (HOSTILE, HOSTILE), (words, words), matrix)._repr_html_()
    assert "<script" not in page and "<img" not in page and "<iframe" not in page
    assert "&lt;script" in page


def test_a_model_prints_as_one_line(tiny_model):
    assert repr(tiny_model) == "<heedful model tiny: bilstm, 3 hops, 2 labels>"


def test_completion_offers_public_names_only(tiny_model):
    offered = [name for name in dir(tiny_model) if not name.startswith("_")]
    assert {"predict", "explain", "evaluate", "save", "labels", "embed"} <= set(offered)
    assert not {"run", "featurise", "session", "looks", "is_many", "factor", "texts", "inputs_in"} & set(offered)
    assert all(hasattr(tiny_model, name) for name in offered)
    assert hasattr(tiny_model, "featurise")  # internal names still work
