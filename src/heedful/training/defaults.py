"""Settings that another task or another kind of input would choose, where nobody chose them."""

from __future__ import annotations

from typing import Any

from heedful.config import Config
from heedful.errors import ConfigError
from heedful.settings import GRAPH_ENCODERS

BY_TASK: dict[str, dict[str, Any]] = {
    "tag": {"pooler": "each", "head": "tag", "penalty": 0.0, "score": "general", "letters": 100},
    "pair": {"head": "gated"},
    "translate": {
        "tokens": "subwords",
        "lowercase": False,
        "vocab_size": 4_000,
        "max_tokens": 200,
        "embed_width": 256,
        "units": 128,
        "decoder_units": 256,
        "score": "general",
        "dropout": 0.25,
        "penalty": 0.0,
        "lr": 2e-3,
        "word_dropout": 0.0,
    },
}
BY_INPUT: dict[str, dict[str, Any]] = {
    "molecule": {
        "encoder": "neighbours",
        "units": 64,
        "n_layers": 3,
        "inner_units": 128,
        "n_hops": 4,
        "attention_width": 64,
        "row_units": 32,
        "count": True,
        "whole": True,
        "dropout": 0.1,
        "input_dropout": 0.0,
        "attention_dropout": 0.0,
        "penalty": 0.0,
        "schedule": "cosine",
        "patience": 10,
    },
    "graph": {"encoder": "neighbours"},
}
BY_BOTH: dict[tuple[str, str], dict[str, Any]] = {
    ("graph", "tag"): {  # few nodes are known, so few weights and much dropout: the numbers of Veličković et al. 2018
        "encoder": "graph_attention",
        "n_layers": 1,
        "units": 64,
        "n_heads": 8,
        "dropout": 0.6,
        "lr": 5e-3,
        "l2": 5e-4,
        "schedule": "constant",
        "warmup": 0.0,
        "epochs": 300,
        "patience": 100,
    },
}
NEEDED = {"tag": ("each", "tag")}  # pooler and head without which a task cannot be


def with_defaults(config: Config) -> Config:
    """Return the settings with what fits the task and the input in place of what fits a text with one label."""
    chosen = BY_INPUT.get(config.input, {}) | BY_TASK.get(config.task, {})
    chosen |= BY_BOTH.get((config.input, config.task), {})
    if config.input in ("molecule", "graph") and config.source.reach == "all":
        chosen |= {"encoder": "transformer", "places": False}
    config = config.changed(**{name: value for name, value in chosen.items() if name not in config.given})
    check_fits(config)
    return config


def check_fits(config: Config) -> None:
    """Raise where layers were chosen that cannot do the task."""
    model, faults = config.model, []
    if (needed := NEEDED.get(config.task)) and (model.pooler, model.head) != needed:
        faults.append(f"task {config.task} needs pooler {needed[0]} and head {needed[1]}.")
    if config.task not in NEEDED and (model.pooler == "each" or model.head == "tag"):
        faults.append("pooler each and head tag are for task tag: they answer for each token.")
    if model.head in ("gated", "concat", "likeness") and config.task != "pair":
        faults.append(f"head {model.head} is for task pair: it answers for two texts.")
    if model.encoder in GRAPH_ENCODERS and config.input not in ("molecule", "graph"):
        faults.append(f"encoder {model.encoder} is for inputs molecule and graph: other inputs have no neighbours.")
    if model.whole and config.input == "text":
        faults.append("whole is for inputs other than texts: a sum of all tokens is no text.")
    if model.count and config.input == "text":
        faults.append("count is for inputs other than texts: how many tokens there are is seldom what a text says.")
    if config.source.surroundings and config.input != "molecule":
        faults.append("surroundings is for input molecule: only atoms have bonds around them.")
    if config.input in ("molecule", "graph"):
        reach = "neighbours" if model.encoder in GRAPH_ENCODERS else "all"  # whom the encoder looks at
        if config.source.reach != reach:
            faults.append(f"encoder {model.encoder} needs reach {reach}, found {config.source.reach}.")
    if faults:
        raise ConfigError(faults)
