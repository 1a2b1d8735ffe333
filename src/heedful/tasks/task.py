"""The descriptor of a task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

# The form of an answer: one label, several labels, a number, a label for each part, a text, a vector.
AnswerKind = Literal["label", "labels", "number", "tags", "text", "vector"]

EMBED, PREDICT, EXPLAIN, FLIP, AUDIT = "embed", "predict", "explain", "flip", "audit"
HOPS, SIMILARITY, STEPS, STREAM, BATCH, TEACH = "hops", "similarity", "steps", "stream", "batch", "teach"
# A model from scratch that answers by a sum over words: each word's vector stands beside its state, and some of the
# training texts are answered without context, so that what a word adds is its own (decision 0018).
WORDS_BESIDE_STATES: Mapping[str, Any] = {"keep_words": True, "context_dropout": 0.1}


@dataclass(frozen=True)
class Task:
    """A task: plain values, and `"module:name"` strings that are imported when they are needed."""

    name: str
    about: str  # a short description
    answer: AnswerKind  # unless the setting `answer` chooses it
    model: str  # class that `load` returns
    goal: str = ""  # function (config, data, sides) → Goal; sides are the features of both parts of the data
    evaluate: str = ""  # function (model, examples, path) → metrics
    setting: str = ""  # `task` in config.toml, if it is not the name
    can: frozenset[str] = frozenset({PREDICT, EXPLAIN})  # what a model of this task can be asked for
    defaults: Mapping[str, Any] = field(default_factory=dict)  # settings that differ from those of a classifier
    by_input: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # and with another input
    needs: Mapping[str, str] = field(default_factory=dict)  # settings without which it cannot be
    heads: tuple[str, ...] = ()  # that only this task has
    sections: tuple[str, ...] = ()  # of config.toml that only this task has
    files: str | None = None  # module with `read_task_file` and `read_sources`, if a row is not one input and answer
    featuriser: str | None = None  # class of the featuriser of its texts, if it needs one of its own
    learn: str | None = None  # function (config, sources) → featuriser and start vectors
    network: str | None = None  # function (config, featuriser, n_classes) → network
    graphs: str | None = None  # function (prepared, weights) → graphs by file name, and their parity
    more_files: tuple[str, ...] = ()  # of its model folder
    start: str | None = None  # function name → Start: how it starts from another model
    starts_by_itself: bool = True  # from the shipped encoder, for English text
    start_defaults: Mapping[str, Any] = field(default_factory=dict)  # defaults if it starts from an encoder
    start_head: str | None = None  # function config → settings of the head that fits an encoder's vectors
    noun: str = "{input} classifier"  # in a model card: "A … made by heedful"
    card: str | None = None  # function (name, config, facts, records) → model card
    explain_command: str = "heedful.cli.shared.explain.texts"  # module with `main(args, model, faults)`
    n_texts: int = 1  # that make one input
    chooses_answer: bool = False  # whether the setting `answer` says what the answer is

    @property
    def config_name(self) -> str:
        """The value of `task` in config.toml."""
        return self.setting or self.name
