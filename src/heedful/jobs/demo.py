"""The demo: train on the bundled messages, compare with a baseline, and explain some predictions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from pathlib import Path

from heedful.config import Config
from heedful.data.example import Example
from heedful.data.read import read_examples
from heedful.data.samples.customer_messages import messages_path
from heedful.explain.attention.explanation import Explanation
from heedful.files.atomic import write_text
from heedful.files.lock import exclusive_lock
from heedful.jobs.audit.audit import audit_texts
from heedful.jobs.audit.sample import AuditText
from heedful.jobs.evaluate import evaluate_examples
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load
from heedful.show.audit.page import audit_page
from heedful.show.heatmaps.page import page
from heedful.tasks.classify.metrics import ClassificationMetrics
from heedful.training.history import NoteEvent, Watcher, nobody

LABEL = "topic"
SETTINGS = {"label": LABEL, "patience": 20}
SURE = 0.8  # about the probability of the predictions in the report
RIVAL_MISSING = "; without scikit-learn there is no comparison with tf-idf + logistic regression"
AUDITED = 200  # messages: enough for a verdict, few enough for seconds


@dataclass(frozen=True)
class DemoResult:
    """Results of the demo, on test texts that neither model has seen."""

    model: Path
    report: Path
    audit_report: Path
    ours: ClassificationMetrics
    rival: float | None  # accuracy of tf-idf + logistic regression; None without scikit-learn
    explanations: Sequence[Explanation]
    train_seconds: float


def run_demo(out: Path, *, watcher: Watcher = nobody) -> DemoResult:
    """Train, compare on the test texts, explain some of them, write a report."""
    with exclusive_lock(out):
        return _demo(out, watcher)


def _demo(out: Path, watcher: Watcher) -> DemoResult:
    config = Config().changed(train=str(messages_path("train")), valid=str(messages_path("dev")), **SETTINGS)
    started = time.monotonic()
    train_model(config, out / "model", watcher=watcher, overwrite=True)
    seconds = time.monotonic() - started
    model = load(out / "model", threads=1)  # many calls with short texts: a second thread costs more than it saves
    test = read_examples(messages_path("test"), label=LABEL)
    beside = ", next to tf-idf + logistic regression" if has_rival() else RIVAL_MISSING
    watcher(NoteEvent(f"evaluating on the test messages{beside}"))
    ours: ClassificationMetrics = evaluate_examples(model, test)
    rival = tfidf_accuracy(test) if has_rival() else None
    watcher(NoteEvent(f"auditing its heatmaps on {AUDITED} of them"))
    audited = audit_texts(model, [AuditText(e.text, e.label) for e in test[:AUDITED]], name="the test messages")
    explanations = model.explain([e.text for e in test], methods=())
    right, wrong = choose(test, explanations, n=8), _wrong(test, explanations, n=4)
    right, wrong = (model.explain([e.text for e in some]) for some in (right, wrong))  # now with effects of words
    result = DemoResult(out / "model", out / "report.html", out / "audit.html", ours, rival, right[:3], seconds)
    write_text(result.audit_report, audit_page(audited))
    truth = {example.text: example.label for example in test}
    notes = ["✓ right"] * len(right) + [f"✗ wrong: it is about {truth[e.text]}" for e in wrong]
    report = page([*right, *wrong], title="heedful demo", intro=_intro(result), notes=notes)
    write_text(result.report, report)
    return result


def choose(test: Sequence[Example], explanations: Sequence[Explanation], *, n: int) -> list[Explanation]:
    """Return correct predictions on texts of medium length, in turn by label, with probabilities near SURE."""
    right = [
        e for example, e in zip(test, explanations, strict=True) if e.label == example.label and 8 <= len(e.words) <= 30
    ]
    by_label: dict[str, list[Explanation]] = {}
    for e in sorted(right, key=lambda e: abs(e.probabilities[e.label] - SURE)):
        by_label.setdefault(e.label, []).append(e)
    rounds = [row[i] for i in range(n) for _, row in sorted(by_label.items()) if i < len(row)]
    return rounds[:n]


def _wrong(test: Sequence[Example], explanations: Sequence[Explanation], *, n: int) -> list[Explanation]:
    wrong = [e for example, e in zip(test, explanations, strict=True) if e.label != example.label and len(e.words) >= 8]
    return sorted(wrong, key=lambda e: -e.probabilities[e.label])[:n]


def has_rival() -> bool:
    """Return whether scikit-learn, which the comparison needs, is installed."""
    return find_spec("sklearn") is not None


def tfidf_accuracy(test: Sequence[Example]) -> float:
    """Return the test accuracy of tf-idf (1–2 grams) + logistic regression."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from threadpoolctl import threadpool_limits  # comes with scikit-learn

    learn = read_examples(messages_path("train"), label=LABEL)
    rival = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True), LogisticRegression(C=10, max_iter=1000)
    )
    with threadpool_limits(1):
        rival.fit([e.text for e in learn], [e.label for e in learn])
        return float(rival.score([e.text for e in test], [e.label for e in test]))


def _intro(result: DemoResult) -> str:
    """Return the metrics as HTML."""
    rows = [("heedful, started from en-base", f"{result.ours.accuracy:.3f}", f"{result.ours.macro_f1:.3f}")]
    if result.rival is not None:
        rows.append(("tf-idf + logistic regression", f"{result.rival:.3f}", ""))
    cells = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td class="n">{accuracy}</td><td class="n">{f1}</td></tr>'
        for name, accuracy, f1 in rows
    )
    return (
        f"<p>{result.ours.n} test messages by topic; the model was trained on this machine in "
        f"{result.train_seconds:.0f} s.</p>"
        '<table><thead><tr><th scope="col">model</th><th class="n" scope="col">test accuracy</th>'
        f'<th class="n" scope="col">macro F1</th></tr></thead><tbody>{cells}</tbody></table>'
        f"<p>First, eight correct predictions with a probability near {SURE}, where single words matter; "
        "then the four most confident wrong ones.</p>"
    )
