"""The training examples and the validation set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, cast

from heedful.config import Config
from heedful.data.bad_rows import BadRows
from heedful.data.columns import Columns
from heedful.data.example import Example, texts_in
from heedful.data.features import Features, TextPair
from heedful.data.featuriser import Featuriser
from heedful.data.file_form import form_of
from heedful.data.read import wrong_number
from heedful.data.split import stratified_split
from heedful.data.table import Source, Table
from heedful.data.task_files import files_module, read_task_file
from heedful.errors import ConfigError, DataError, HeedfulError, listed
from heedful.inputs import INPUTS
from heedful.tasks import answer_kind
from heedful.tasks.tag.recase import in_other_case

Pair = tuple[Sequence[Example], Sequence[Example]]
Sides = tuple[Sequence[Features], Sequence[Features]]  # of the training and the valid examples
MEASURED = 1_000  # texts, for their mean length
TEXTS = "the training texts"  # if they are not from a file


@dataclass(frozen=True)
class TrainingData:
    """Examples with their answers."""

    train: Sequence[Example]
    valid: Sequence[Example]
    labels: tuple[str, ...]  # for a number, the name of its column; for a translation, none
    columns: Columns  # of the training file
    is_held_out: bool = False  # whether the validation set was split from the training examples
    many: bool = False  # whether the labels are multilabel
    faults: BadRows = field(default_factory=BadRows)  # rows that could not be read

    @property
    def is_whole(self) -> bool:
        """Whether all training examples are in memory."""
        return True

    @property
    def n_train(self) -> int:
        """The number of training examples."""
        return len(self.train)

    def sources(self) -> Iterable[Any]:
        """Return the training inputs."""
        return [example.text for example in self.train]

    def mean_characters(self) -> float:
        """Return the mean length of the first training texts; 0 for inputs that are not texts."""
        texts = [text for example in self.train[:MEASURED] for text in texts_in(example.text) if isinstance(text, str)]
        return sum(map(len, texts)) / max(1, len(texts))

    def prepared(self, prepared: Any) -> Any:
        """Return what training needs; a stream has a goal of its own."""
        return prepared

    def fingerprints(self) -> dict[str, str]:
        """Return hashes that detect changed data."""
        return {"texts": _fingerprint(self.train), "valid texts": _fingerprint(self.valid)}


def read_data(
    config: Config, *, given: Pair | None = None, sources: Mapping[str, Source] = MappingProxyType({})
) -> TrainingData:
    """Read the files, or take the given examples; without a validation set, split one from the training examples.

    `sources` are read in place of the files `train` and `valid`.
    """
    faults = BadRows(skip=config.data.skip_bad, form=form_of(config.data))
    train, valid, columns = (*given, Columns()) if given else _read(config, faults, sources)
    source = config.data.train or TEXTS
    if not train:
        raise DataError(source, f"no example is left: all {faults.n} rows were bad. The first: {faults.first[0]}")
    many = isinstance(train[0].label, tuple) and answer_kind(config) == "label"
    labels = labels_of(config, train, columns, many=many)
    is_held_out = not valid
    if is_held_out:
        train, valid = _kept_back(config, train, source)
    _check_valid_labels(config, valid, labels, source)
    if config.train.other_case > 0:
        train = _in_more_cases(config, train)
    return TrainingData(train, valid, labels, columns, is_held_out, many, faults)


def labels_of(config: Config, train: Sequence[Example], columns: Columns, *, many: bool = False) -> tuple[str, ...]:
    """Return the possible answers: labels, or the name of a number; none for a text or a vector."""
    source = config.data.train or TEXTS
    kind = answer_kind(config, many=many)
    if kind in ("text", "vector"):
        return ()
    if kind == "labels":
        _check_some_known(train, columns, source)
        return tuple((columns.label or "").split(",")) if columns.label else _numbered_labels(train)
    if kind == "number":
        _check_numbers(train, source)
        return (columns.label or config.data.label or "number",)
    labels = sorted({tag for e in train for tag in e.label if tag} if kind == "tags" else {e.label for e in train})
    if len(labels) < 2:
        there = f"every text has the label {labels[0]!r}" if labels else "there is no label"
        raise DataError(source, f"{there}, expected two labels or more")
    return tuple(labels)


def _check_numbers(train: Sequence[Example], source: str) -> None:
    for example in train:
        if (wrong := wrong_number(str(example.label))) is not None:
            raise DataError(source, f"the label is {example.label!r:.40}, expected {wrong}", line=example.line)
    if len({float(e.label) for e in train}) < 2:
        raise DataError(source, f"every text has the number {train[0].label}, expected two numbers or more")


def _check_some_known(train: Sequence[Example], columns: Columns, source: str) -> None:
    """Raise if every label of every example is unknown."""
    if not any(cell for example in train for cell in example.label):
        named = f" ({listed(columns.label.split(','))})" if columns.label else ""
        raise DataError(source, f"every cell of the labels{named} is empty, expected 1 or 0 in some")


def _numbered_labels(train: Sequence[Example]) -> tuple[str, ...]:
    return tuple(str(i + 1) for i in range(len(train[0].label)))


def _kept_back(config: Config, train: Sequence[Example], source: str) -> Pair:
    """Return (training, validation) examples, stratified where each example has one label."""
    by_label = answer_kind(config) == "label" and isinstance(train[0].label, str)
    groups = [e.label for e in train] if by_label else ["" for _ in train]
    kept, held = stratified_split(groups, config.data.valid_share, seed=config.train.seed)
    if not held:
        raise DataError(
            source, "too few texts for a validation set: every label has only one. Set data.valid to a file"
        )
    return [train[i] for i in kept], [train[i] for i in held]


def _in_more_cases(config: Config, train: Sequence[Example]) -> Sequence[Example]:
    """Return the training examples, followed by some of them in another case. The validation set is unchanged."""
    if answer_kind(config) != "tags" or not INPUTS[config.input].is_text:
        raise ConfigError([f"train.other_case is for taggers of texts, not for {config.input} {config.task}."])
    return [*train, *in_other_case(train, config.train.other_case, seed=config.train.seed)]


def _check_valid_labels(config: Config, valid: Sequence[Example], labels: tuple[str, ...], source: str) -> None:
    if answer_kind(config) != "label" or not isinstance(valid[0].label, str):
        return
    if strange := sorted({e.label for e in valid} - set(labels)):
        where, known = config.data.valid or source, listed(labels)
        raise DataError(where, f"label {strange[0]!r} is not among the training labels: {known}")


def _read(
    config: Config, faults: BadRows, sources: Mapping[str, Source]
) -> tuple[Sequence[Example], Sequence[Example], Columns]:
    train, valid = sources.get("train", config.data.train), sources.get("valid", config.data.valid)
    if train is None:
        raise ConfigError(["data.train is not set. Set it to a file of labelled texts."])
    read_sides = getattr(files_module(config), "read_sides", None)
    if read_sides is not None and (sides := read_sides(config)) is not None:
        return cast("tuple[Sequence[Example], Sequence[Example], Columns]", sides)
    examples, columns = read_task_file(train, config, asked=_asked(config, train), faults=faults)
    return examples, read_valid(config, columns, faults, source=valid) if valid is not None else [], columns


def _asked(config: Config, source: Source) -> Columns:
    """Return the columns that the settings name, or else those that a table in memory is known to have."""
    text, label = config.data.text, config.data.label
    return Columns(text or source.text, label or source.label) if isinstance(source, Table) else Columns(text, label)


def read_valid(config: Config, columns: Columns, faults: BadRows, *, source: Source | None = None) -> Sequence[Example]:
    """Read the validation file, or another source, which may have the columns of the training file."""
    source = source or config.data.valid
    assert source is not None
    return read_task_file(source, config, asked=_asked(config, source), hints=columns, faults=faults)[0]


def features_at(example: Example, featuriser: Featuriser, source: str) -> Features:
    """Return the features of an example. Raise a DataError with its line if it cannot be read."""
    try:
        if len(texts := texts_in(example.text)) == 2:
            return TextPair(*(featuriser.features(text) for text in texts))
        both = getattr(featuriser, "both", None)  # of texts and their translations
        features: Features = both(example.text, example.label) if both else featuriser.features(example.text)
        return features
    except DataError as error:
        raise DataError(source, f"{error.path}: {error.problem}", line=example.line) from None
    except HeedfulError as error:
        raise DataError(source, str(error), line=example.line) from None


def _fingerprint(examples: Sequence[Example]) -> str:
    digest = hashlib.sha256()
    for example in examples:
        source = example.text.tobytes().hex() if hasattr(example.text, "tobytes") else example.text  # all of an array
        digest.update(f"{source}\x00{example.label}\x01".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
