"""The model card: what a person should know who finds the folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heedful.config import Config
from heedful.store.facts import Facts

MAX_LABELS = 20


def model_card(name: str, config: Config, facts: Facts, records: Sequence[Mapping[str, Any]]) -> str:
    """Return the card as Markdown."""
    model, data = config.model, facts.data
    labels = ", ".join(f"`{_plain(label)}`" for label in facts.labels[:MAX_LABELS])
    more = f" and {len(facts.labels) - MAX_LABELS} more" if len(facts.labels) > MAX_LABELS else ""
    best = next((r for r in reversed(records) if r["is_best"]), None)
    lines = [
        f"# {_plain(name)}",
        "",
        f"A text classifier made by heedful {facts.heedful}: {model.encoder} encoder, {model.pooler} pooler with "
        f"{facts.n_hops} hops, {model.head} head. Labels: {labels}{more}.",
        "",
        "## Data",
        "",
        f"{data['train_texts']:,} texts to learn from (`{_plain(config.data.train or 'given in memory')}`), "
        f"{data['valid_texts']:,} to choose the best epoch. {data['mean_tokens']:.0f} tokens a text on average; "
        f"{data['known_tokens']:,} tokens known; {data['cut_texts']:,} texts cut at {config.text.max_tokens:,} tokens.",
        "",
        "## Figures",
        "",
    ]
    if best is not None:
        lines += [
            f"On the texts kept for checking, after epoch {best['epoch']} of {len(records)}: accuracy "
            f"{best['accuracy']:.3f}, macro F1 {best['macro_f1']:.3f}. These texts chose the epoch, so expect a little "
            "less on new ones.",
        ]
    else:
        lines += ["Training was stopped before the end of the first epoch: nothing was measured."]
    lines += [
        "",
        f"ONNX Runtime and torch differ by at most {facts.parity:.1e} on a sample.",
        "",
        "## Heatmaps",
        "",
        "Not audited: nothing has tested yet whether this model's attention shows what its answers depend on.",
        "",
        "## Make it again",
        "",
        *_again(config),
        "",
    ]
    return "\n".join(lines)


def _again(config: Config) -> list[str]:
    if config.data.train is None:
        return ["It was trained from Python, on texts that were in no file. Its settings are in `config.toml`."]
    return ["```", "heedful train config.toml --out again", "```", "", "(in this folder, with the data where it was)"]


def _plain(text: str) -> str:
    """Return text that Markdown will not read as markup."""
    return "".join(c for c in text if c not in "`<>[]|\n\r")
