"""The model card: README.md of a model folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heedful.config import Config
from heedful.lazy import imported
from heedful.settings import LAST
from heedful.store.cards.wording import data_name, plain
from heedful.store.metadata import Facts
from heedful.store.results.hops_file import HOPS, has_atlas
from heedful.store.verdict import NOT_AUDITED, Verdict
from heedful.tasks import answer_kind, task_of

MAX_LABELS = 20
HEATMAPS = "## Heatmaps"
LABEL_FIGURES = {
    "accuracy": "accuracy",
    "macro_f1": "macro F1",
    "roc_auc": "ROC AUC",
    "f1": "F1 over spans",
    "precision": "precision",
    "recall": "recall",
}
NUMBER_FIGURES = {"rmse": "RMSE", "mae": "MAE", "r2": "R²", "spearman": "Spearman"}


def model_card(name: str, config: Config, facts: Facts, records: Sequence[Mapping[str, Any]]) -> str:
    """Return the card as Markdown."""
    task = task_of(config, many=facts.is_multilabel)
    if task.card:
        card: str = imported(task.card)(name, config, facts, records)
        return card
    model, data = config.model, facts.data
    labels = ", ".join(f"`{plain(label)}`" for label in facts.labels[:MAX_LABELS])
    more = f" and {len(facts.labels) - MAX_LABELS} more" if len(facts.labels) > MAX_LABELS else ""
    best = next((r for r in reversed(records) if r["is_kept"]), None)
    answer = answer_kind(config, many=facts.is_multilabel)
    is_number, kind = answer == "number", task.noun.format(input=config.input, answer=answer)
    chose_nothing = _is_only_answer(facts, records) or config.train.keep == LAST
    purpose = "" if chose_nothing else ", which also chose the epoch"
    lines = [
        f"# {plain(name)}",
        "",
        f"A {kind} made by heedful {facts.heedful}: {model.encoder} encoder, {model.pooler} pooler with "
        f"{_hops(facts)}, {model.head} head. {'Number' if is_number else 'Labels'}: {labels}{more}.",
        "",
        "## Data",
        "",
        f"{data['train_texts']:,} texts for training (`{data_name(config)}`), "
        f"{data['valid_texts']:,} for validation{purpose}. {data['mean_tokens']:.0f} tokens per text on average; "
        f"{_known(data)}{data['cut_texts']:,} texts truncated to {config.text.max_tokens:,} tokens.",
        *_taught(data),
        "",
        "## Metrics",
        "",
    ]
    if best is not None:
        lines += [_figures(config, facts, records, best)]
    else:
        lines += ["Training was stopped before the end of the first epoch, so there are no metrics."]
    lines += [
        "",
        f"ONNX Runtime and torch differ by at most {facts.parity:.1e} on a sample.",
        *(["", f"What each hop reads is in `{HOPS}`, which `heedful hops --keep` updates."] * has_atlas(config)),
        "",
        HEATMAPS,
        "",
        NOT_AUDITED.words,
        "",
        "## Reproduce",
        "",
        *_again(config),
        "",
    ]
    return "\n".join(lines)


def _hops(facts: Facts) -> str:
    return f"{facts.n_hops} hops" if facts.n_hops else "a hop for each token"


def _known(data: Mapping[str, Any]) -> str:
    return f"{data['known_tokens']:,} tokens known; " if "known_tokens" in data else ""


def _taught(data: Mapping[str, Any]) -> list[str]:
    """Return the paragraph about the teacher; none if the model was trained from labels alone."""
    if "teacher" not in data:
        return []
    metrics = ", ".join(_named(data.get("teacher_metrics", {})))
    return [
        "",
        f"It learned the task from the teacher `{plain(str(data['teacher']))}`, which scored {data['taught_texts']:,} "
        f"texts, {data['unlabelled_texts']:,} of them without labels and {data['variations']:,} variations of training "
        f"texts. On the validation set the teacher has {metrics}.",
    ]


def with_verdict(card: str, verdict: Verdict) -> str:
    """Return a card with the verdict of an audit in its section on heatmaps."""
    before, heading, after = card.partition(HEATMAPS + "\n")
    if not heading:
        return f"{card.rstrip()}\n\n{HEATMAPS}\n\n{plain(verdict.words)}\n"
    _, next_heading, rest = after.partition("\n## ")
    return f"{before}{heading}\n{plain(verdict.words)}\n{next_heading}{rest}"


def _is_only_answer(facts: Facts, records: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the encoder stayed frozen and only the head was fitted."""
    return "start" in facts.data and bool(records) and records[-1]["epoch"] == 0


def _figures(config: Config, facts: Facts, records: Sequence[Mapping[str, Any]], best: Mapping[str, Any]) -> str:
    """Return the sentence with the metrics, when they were measured, and how the validation set was used."""
    last = records[-1]["epoch"]
    when = f"after epoch {best['epoch']} of {last}" if best["epoch"] else f"before the first of {last} epochs"
    then = "The validation set chose the epoch, so expect slightly lower values on new texts."
    if config.train.keep == LAST:
        then = "The last epoch was kept, so the validation set chose nothing."
    if _is_only_answer(facts, records):
        when = f"with only the head trained, on the frozen vectors of `{plain(config.train.start)}`"
        then = "It chose nothing: the head's regularisation was chosen by cross-validation on the training set."
        if facts.data.get("valid_texts_learned"):
            then += " After this was measured, the head was fitted again on all texts, including the validation set."
    return f"On the validation set, {when}: {_metrics(best)}. {then}"


def _metrics(best: Mapping[str, Any]) -> str:
    return ", ".join(_named(best))


def _named(metrics: Mapping[str, Any]) -> list[str]:
    if "rmse" in metrics:
        return [f"{name} {metrics[key]:.4g}" for key, name in NUMBER_FIGURES.items()]
    return [f"{name} {metrics[key]:.3f}" for key, name in LABEL_FIGURES.items() if key in metrics]


def encoder_card(name: str, config: Config, facts: Facts, records: Sequence[Mapping[str, Any]]) -> str:
    """Return the card of an encoder."""
    model, data = config.model, facts.data
    source = f"the vectors of the teacher `{plain(str(data['teacher']))}`" if "teacher" in data else "pairs of texts"
    command = "distill config.toml - -o again" if "teacher" in data else "pretrain config.toml -o again"
    figures = ", ".join(f"{key.replace('_', ' ')} {value:.3f}" for key, value in facts.metrics.items())
    chose = "which chose nothing" if config.train.keep == LAST else "which also chose the epoch"
    words = ", each word's vector concatenated to its state" if model.keep_words else ""
    lines = [
        f"# {plain(name)}",
        "",
        f"A sentence encoder made by heedful {facts.heedful}: {model.encoder} encoder{words}, {model.pooler} pooler "
        f"with {facts.n_hops} hops, vectors of {model.vector_width} numbers.",
        "",
        "## Data",
        "",
        f"It was trained on {source}: {data['train_texts']:,} texts (`{data_name(config)}`), "
        f"{data['mean_tokens']:.0f} tokens per text on average; {data['known_tokens']:,} tokens known.",
        "",
        "## Metrics",
        "",
        f"On a validation set of {data['valid_texts']:,} texts, {chose} ({len(records)} epochs): {figures}.",
        "",
        f"ONNX Runtime and torch differ by at most {facts.parity:.1e} on a sample.",
        "",
        "## Reproduce",
        "",
        "```",
        f"heedful {command}",
        "```",
        "",
        "(in this folder, with the data and the teacher where they were)",
        "",
    ]
    return "\n".join(lines)


def _again(config: Config) -> list[str]:
    if config.data.train is None:
        return ["It was trained from Python, on texts that were not in a file. Its settings are in `config.toml`."]
    return ["```", "heedful train config.toml --out again", "```", "", "(in this folder, with the data where it was)"]
