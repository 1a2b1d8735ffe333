"""`heedful info`."""

from __future__ import annotations

import argparse
import os

from heedful.cli.shared.console import out, print_json
from heedful.config import Config
from heedful.inputs import INPUTS
from heedful.show.kit.text.sanitise import visible
from heedful.store.folder import Stored, read_folder
from heedful.store.shipped import model_path
from heedful.tasks import answer_kind

EXAMPLE = """\
example:
  heedful info model
  heedful info model --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("model", help="model folder, or the name of a model that comes with heedful")
    parser.add_argument("--json", action="store_true", help="print as JSON")


def main(args: argparse.Namespace) -> int:
    """Print the description of a model."""
    stored = read_folder(model_path(args.model))
    size = sum(file.stat().st_size for file in stored.path.iterdir() if file.is_file())
    if args.json:
        facts = stored.facts
        print_json(
            {
                "config": stored.config.to_dict(),
                "labels": facts.labels,
                "figures": dict(facts.metrics),
                "data": dict(facts.data),
                "vector_width": _width(stored),
                "verdict": {"level": stored.verdict.level, "words": stored.verdict.words},
                "bytes": size,
                "heedful": facts.heedful,
            }
        )
        return 0
    for name, value in _lines(stored, size):
        out.print(f"{name:<14} {visible(value)}", markup=False, soft_wrap=True)
    return 0


def _lines(stored: Stored, size: int) -> list[tuple[str, str]]:
    config, facts, kind = stored.config, stored.facts, INPUTS[stored.config.input]
    labels = ", ".join(facts.labels[:20]) + (f" and {len(facts.labels) - 20} more" if len(facts.labels) > 20 else "")
    figures = ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in facts.metrics.items())
    return [
        ("model", str(stored.path)),
        ("task", f"{config.task}: {labels or _columns(config)}"),
        ("network", _network(config)),
        ("vector", _vector(stored)),
        *([("tokens", _tokens(stored))] if kind.is_text else []),
        *_origin(stored, figures),
        *([("heatmaps", stored.verdict.words)] if labels else []),
        ("size", f"{size / 1e6:.1f} MB"),
        ("made by", f"heedful {facts.heedful}"),
    ]


def _origin(stored: Stored, metrics: str) -> list[tuple[str, str]]:
    """Return where the model is from: its training, or the transformer that was imported."""
    data = stored.facts.data
    if "imported_from" in data:
        numbers = "8-bit products" if data.get("int8") else "32-bit numbers"
        return [("imported from", f"{data['imported_from']}: {data['about']}; {numbers}")]
    inputs = INPUTS[stored.config.input].wording.inputs
    return [
        ("trained on", f"{data.get('train_texts', 0):,} {inputs} ({_source(stored.config)})"),
        ("dev metrics", metrics or "none: training was stopped in the first epoch"),
    ]


def _tokens(stored: Stored) -> str:
    return f"{stored.config.text.tokens}, {stored.facts.data.get('known_tokens', 0):,} known"


def _columns(config: Config) -> str:
    """Return the input and output columns of a model without labels."""
    to = {"vector": "vectors"}.get(answer_kind(config), config.data.label or "texts")
    return f"{config.data.text or 'texts'} to {to}"


def _network(config: Config) -> str:
    model = config.model
    if answer_kind(config) == "text":
        return f"{model.encoder} encoder, decoder of two LSTMs of {model.decoder_units} units, {model.score} attention"
    return f"{model.encoder} encoder, {model.pooler} pooler, {model.head} head"


def _vector(stored: Stored) -> str:
    facts = stored.facts
    if not _width(stored):
        return "none"
    return f"{_width(stored):,} numbers, from {facts.n_hops} hops × {facts.width:,}" if facts.n_hops else "none"


def _source(config: Config) -> str:
    return os.path.normpath(config.data.train) if config.data.train else "given in memory"


def _width(stored: Stored) -> int:
    """Return the width of the model's vectors."""
    kind = answer_kind(stored.config)
    if kind == "text":
        return 0
    return stored.config.model.vector_width if kind == "vector" else stored.facts.n_hops * stored.facts.width
