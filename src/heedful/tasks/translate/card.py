"""The model card of a translator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heedful.config import Config
from heedful.settings import BEST, LAST
from heedful.store.cards.wording import data_name, plain
from heedful.store.metadata import Facts

CHOSE = {BEST: "These texts chose the epoch.", LAST: "The last epoch was to be kept, so these texts chose nothing."}
PURPOSE = {BEST: "choose the best epoch", LAST: "check"}


def translator_card(name: str, config: Config, facts: Facts, records: Sequence[Mapping[str, Any]]) -> str:
    """Return the card as Markdown."""
    model, data = config.model, facts.data
    source, target = (plain(column or "text") for column in (config.data.text, config.data.label))
    best = next((r for r in reversed(records) if r["is_kept"]), None)
    figures = "Training was stopped before the end of the first epoch: nothing was measured."
    if best is not None:
        figures = (
            f"On the validation set, after epoch {best['epoch']} of {records[-1]['epoch']}, with the true "
            f"tokens before each: {best['token_accuracy']:.1%} of the next tokens right, perplexity "
            f"{best['perplexity']:.2f}. {CHOSE[config.train.keep]} `heedful evaluate` measures BLEU on others."
        )
    lines = [
        f"# {plain(name)}",
        "",
        f"A translator made by heedful {facts.heedful}, from `{source}` to `{target}`: {model.encoder} encoder, two "
        f"LSTMs of {model.decoder_units} units with {model.score} attention between them.",
        "",
        "## Data",
        "",
        f"{data['train_texts']:,} texts to learn from (`{data_name(config)}`), "
        f"{data['valid_texts']:,} to {PURPOSE[config.train.keep]}. {data['mean_tokens']:.0f} sub-words a text on "
        f"average; {data['known_tokens']:,} known; {data['cut_texts']:,} texts cut at {config.text.max_tokens:,}.",
        "",
        "## Metrics",
        "",
        figures,
        "",
        f"ONNX Runtime and torch differ by at most {facts.parity:.1e} on a sample.",
        "",
        "## Alignment",
        "",
        "For each word it writes, the translator gives weights over the words it read. They say where it looked; "
        "nobody has tested whether they say what a word depends on.",
        "",
    ]
    if config.data.train is not None:
        lines += ["## Reproduce", "", "```", "heedful train config.toml --out again", "```", ""]
    return "\n".join(lines)
