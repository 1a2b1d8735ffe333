"""Testing how reliable a model's heatmaps are, on a file of texts: `heedful audit`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from heedful.data.bad_rows import STRICT, BadRows
from heedful.data.memory import as_source
from heedful.data.table import Data, Source, Table
from heedful.errors import HeedfulError, install_command
from heedful.explain.attention.explain import check_can_explain
from heedful.explain.attention.explanation import GRADIENT, INTEGRATED, LEAVE_ONE_OUT
from heedful.explain.audit.audit import Audit
from heedful.explain.audit.measure import TextFigures, measure_text
from heedful.explain.audit.summary import sum_up
from heedful.jobs.audit.progress_file import AuditNotes
from heedful.jobs.audit.sample import AuditText, sample_texts
from heedful.jobs.training_row_warning import seen_warning
from heedful.runtime.deprecated import renamed_keywords
from heedful.runtime.model import Model, as_model
from heedful.store.cards.card import with_verdict
from heedful.store.contained_files import read_file, write_file
from heedful.store.folder import CARD, WEIGHTS, has_weights
from heedful.store.results.audit_file import audited_texts, write_audit
from heedful.tasks.task import AUDIT

N_TEXTS = 500
FEWEST = 10  # texts: a confidence interval over fewer is meaningless
READ_FROM_WEIGHTS = ("structured", "mean")  # poolers whose rows are computed from the attention weights

Told = Callable[[int, int], None]  # texts done, texts in all
Note = Callable[[str], None]


@dataclass
class Checks:
    """The checks that a model allows, and why others are left out."""

    methods: tuple[str, ...] = (LEAVE_ONE_OUT,)
    shuffle: bool = False
    adversary: bool = False
    left_out: dict[str, str] = field(default_factory=dict)


@renamed_keywords(told="on_progress", note="on_note", file="data")
def audit(
    model: str | Path | Model,
    data: Data,
    *,
    text: str | None = None,
    label: str | None = None,
    n_texts: int = N_TEXTS,
    deep: bool = False,
    seed: int = 0,
    keep: bool = True,
    faults: BadRows = STRICT,
    on_progress: Told = lambda _, __: None,
    on_note: Note = lambda _: None,
) -> Audit:
    """Test how far a model's heatmaps can be trusted, on unseen texts.

    An interrupted audit resumes when it is run again on the same texts.

    Args:
        model: a model, or the path of its folder.
        data: path of a file, a list of texts or dicts, a DataFrame, an Arrow table, a dataset, or (texts, labels).
        text: name of the text column; by default that of the training data.
        label: name of the label column, for the accuracy on these texts.
        n_texts: size of the random sample; 0 for all texts.
        deep: also train models with shuffled labels and fixed weights; this takes many trainings.
        seed: of the sample.
        keep: write the verdict to the model's folder; every heatmap then carries it.
        faults: how rows that cannot be read are handled; by default the first one raises.
        on_progress: called with the number of texts done and of all texts.
        on_note: called with remarks.

    Returns:
        The verdict and the figures behind it. Printed, it is a short report.

    Raises:
        HeedfulError: if the model cannot be audited, or if there are too few texts.

    Example:
        >>> import heedful
        >>> audit = heedful.audit("model", "test.csv", n_texts=20, keep=False)
        >>> print(audit.verdict.words)
        These contributions ...
    """
    model, source = as_model(model), _source(data)
    check_can_explain(model)
    _check_can_audit(model)
    if isinstance(source, Table):
        text, label = text or source.text, label or source.label
    texts = sample_texts(source, n_texts, seed=seed, model=model, text=text, label=label, faults=faults)
    if warning := seen_warning(model, (sampled.text for sampled in texts), source):
        on_note(warning)
    name = str(source) if isinstance(source, Table) else Path(source).name
    return audit_texts(
        model, texts, name=name, deep=deep, seed=seed, keep=keep, on_progress=on_progress, on_note=on_note
    )


def _source(data: Data) -> Source:
    """Return a path or a table; a list of texts is a table without labels."""
    if isinstance(data, list) and data and all(isinstance(text, str) for text in data):
        return Table("the list of texts", lambda: ({"text": text} for text in data), text="text")
    return as_source(data)


def _check_can_audit(model: Model) -> None:
    if AUDIT not in model.can:
        raise HeedfulError(f"{model.path.name} {model.does}; audits are for models that label single inputs")


def audit_texts(
    model: Model,
    texts: Sequence[AuditText],
    *,
    name: str,
    deep: bool = False,
    seed: int = 0,
    keep: bool = True,
    on_progress: Told = lambda _, __: None,
    on_note: Note = lambda _: None,
) -> Audit:
    """Test a model's heatmaps on these texts; `name` is the name of their source."""
    _check_can_audit(model)
    checks = possible_checks(model, deep=deep)
    n_given, texts = len(texts), list({text.key: text for text in texts}.values())
    notes = AuditNotes(model.path, _identity(model, texts, checks, seed)) if keep else None
    figures = _measure(model, texts, checks, notes, seed=seed, on_progress=on_progress, on_note=on_note)
    usable = [measured for measured in figures if measured is not None]
    if len(usable) < FEWEST:
        raise HeedfulError(
            f"{name}: found {len(usable)} different texts of two words or more, expected at least {FEWEST}"
        )
    checks.left_out |= _texts_left_out(repeated=n_given - len(texts), short=len(figures) - len(usable))
    result = sum_up(
        usable,
        model=model.path.name,
        file=name,
        accuracy=_accuracy(model, texts, figures),
        deep=_deep(model, texts, checks, on_note) if deep else {},
        left_out=checks.left_out,
        seed=seed,
        kind=model.config.input,
    )
    if notes is not None:
        if (before := audited_texts(model.path)) > len(usable):
            on_note(f"this replaces an audit of the model on {before:,} texts")
        keep_audit(model, result)
        notes.forget()
    return result


def _texts_left_out(*, repeated: int, short: int) -> dict[str, str]:
    reasons = {
        "repeated texts": (repeated, "appear earlier in the file"),
        "short texts": (short, "have fewer than two words"),
    }
    return {name: f"{n:,} {why}" for name, (n, why) in reasons.items() if n}


def keep_audit(model: Model, result: Audit) -> None:
    """Write the audit to the model's folder and its verdict to the card: every heatmap of the model now carries it."""
    write_audit(model.path, result.to_dict(), model.fingerprint)
    if (model.path / CARD).is_file():
        card = read_file(model.path, CARD).decode("utf-8", "replace")
        write_file(model.path, CARD, with_verdict(card, result.verdict))
    model.verdict = result.verdict


def possible_checks(model: Model, *, deep: bool = False) -> Checks:
    """Return the checks that can run: gradients and permuted weights need torch and the model's own weights."""
    checks = Checks()
    if find_spec("torch") is None:
        checks.left_out["gradients, permutation"] = f"torch is not installed. Run: {install_command('train')}"
    elif not has_weights(model.path, model.facts, model.config.model):
        checks.left_out["gradients, permutation"] = f"the model has no {WEIGHTS}"
    else:
        checks.methods = (LEAVE_ONE_OUT, GRADIENT, INTEGRATED)
        checks.shuffle = model.config.model.pooler in READ_FROM_WEIGHTS
        checks.adversary = deep and checks.shuffle
        if not checks.shuffle:
            pooler = model.config.model.pooler
            checks.left_out["permutation"] = f"with pooler {pooler} the prediction is not computed from the weights"
    return checks


def _measure(
    model: Model,
    texts: Sequence[AuditText],
    checks: Checks,
    notes: AuditNotes | None,
    *,
    seed: int,
    on_progress: Told,
    on_note: Note,
) -> list[TextFigures | None]:
    """Measure each text that an interrupted run has not measured."""
    known = dict(notes.known) if notes else {}
    if known:
        on_note(f"resuming an interrupted audit: {len(known):,} of {len(texts):,} texts are done")
    for place, sampled in enumerate(texts):
        if place not in known:
            known[place] = measure_text(
                model, sampled.text, checks.methods, seed=seed, shuffle=checks.shuffle, adversary=checks.adversary
            )
            if notes is not None:
                notes.add(place, known[place])
        on_progress(place + 1, len(texts))
    return [known[place] for place in range(len(texts))]


def _deep(model: Model, texts: Sequence[AuditText], checks: Checks, on_note: Note) -> dict[str, Any]:
    if not checks.shuffle:
        return {}
    from heedful.jobs.audit.deep import deep_checks

    results, left_out = deep_checks(model, [sampled.text for sampled in texts], on_note=on_note)
    checks.left_out.update(left_out)
    return results


def _accuracy(model: Model, texts: Sequence[AuditText], figures: Sequence[TextFigures | None]) -> float | None:
    """Return the accuracy on the texts whose label the model knows."""
    pairs = [
        (model.labels[measured.answer], text.label)
        for measured, text in zip(figures, texts, strict=True)
        if measured is not None and text.label in model.labels
    ]
    return sum(answer == label for answer, label in pairs) / len(pairs) if pairs else None


def _identity(model: Model, texts: Sequence[AuditText], checks: Checks, seed: int) -> dict[str, Any]:
    """Return the values that must match for an audit to be resumed."""
    content = hashlib.sha256("\0".join(text.key for text in texts).encode("utf-8", "surrogatepass")).hexdigest()
    chosen = {"methods": checks.methods, "shuffle": checks.shuffle, "adversary": checks.adversary}
    return {"model": model.fingerprint, "texts": content, "seed": seed, **chosen}
