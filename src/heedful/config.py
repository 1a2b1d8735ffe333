"""The complete settings of a model: read from TOML, keywords or flags; errors list every fault at once.

The name of a field is its TOML key, its keyword in `heedful.train(...)` and its flag on the command line, so names are
unique across sections.
"""

from __future__ import annotations

import dataclasses
import os
import sys
import tomllib
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from numbers import Integral
from pathlib import Path
from typing import Any

from heedful.errors import ConfigError, did_you_mean
from heedful.inputs import INPUTS
from heedful.settings import DataSettings, EncodeSettings, ModelSettings, SourceSettings, TextSettings, TrainSettings
from heedful.tasks import TASKS, config_names

FORMATS = (1, 2)  # of model folders that can be read; 2 has digests of its files in facts.json
FORMAT = FORMATS[-1]  # of folders that are written; increased when older versions could not read a new folder
MAX_BYTES = 256 * 1024  # of a file of settings
MAX_LIST = 32  # entries of a setting that is a list


@dataclass(frozen=True)
class Config:
    """All settings of a model: enough to retrain it."""

    task: str = "classify"
    input: str = "text"
    data: DataSettings = field(default_factory=DataSettings)
    text: TextSettings = field(default_factory=TextSettings)
    source: SourceSettings = field(default_factory=SourceSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    train: TrainSettings = field(default_factory=TrainSettings)
    encode: EncodeSettings = field(default_factory=EncodeSettings)
    given: frozenset[str] = field(
        default=frozenset(), compare=False, repr=False
    )  # names of the settings that were chosen

    def with_given(self, **settings: Any) -> Config:
        """Return a copy with settings that were chosen: they count as chosen even if they equal the default."""
        before = frozenset() if "start" in settings else self.given  # chosen for another start, and may not fit
        return dataclasses.replace(self.changed(**settings), given=before | frozenset(settings))

    def changed(self, **settings: Any) -> Config:
        """Return a copy with these settings, named without their section."""
        faults: list[str] = []
        sections: dict[str, Any] = {name: dataclasses.asdict(getattr(self, name)) for name in SECTIONS}
        task, kind = settings.pop("task", self.task), settings.pop("input", self.input)
        owner = {f.name: section for section, f in all_fields()}
        for name, value in settings.items():
            if name not in owner:
                faults.append(f"{name} is not a setting.{_nearest(name)}")
            else:
                sections[owner[name]][name] = value
        return dataclasses.replace(
            _checked({"task": task, "input": kind, **sections}, faults, source="settings"), given=self.given
        )

    def with_paths(self, change: Callable[[str], str]) -> Config:
        """Return a copy with `change` applied to every path of a user's file."""
        given = {"train": self.data.train, "valid": self.data.valid, "vectors": self.text.vectors}
        given |= {"edges": self.source.edges, "unlabelled": self.data.unlabelled}
        either = {"teacher": self.encode.teacher or "", "start": self.train.start}  # paths, or names of models
        given |= {name: value for name, value in either.items() if os.sep in value or value.endswith(".npy")}
        return self.changed(**{name: change(value) for name, value in given.items() if value not in (None, "-")})

    def to_dict(self) -> dict[str, Any]:
        """Return nested plain values, without settings that are None."""
        tree: dict[str, Any] = {"format": FORMAT, "task": self.task, "input": self.input}
        for name, section in SECTIONS.items():
            if name in _OPTIONAL and name not in sections_of(self) and getattr(self, name) == section():
                continue
            values = dataclasses.asdict(getattr(self, name))
            tree[name] = {k: list(v) if isinstance(v, tuple) else v for k, v in values.items() if v is not None}
        return tree


SECTIONS: dict[str, type[Any]] = {
    "data": DataSettings,
    "text": TextSettings,
    "source": SourceSettings,
    "model": ModelSettings,
    "train": TrainSettings,
    "encode": EncodeSettings,
}

_OPTIONAL = {"source", "encode"}  # sections that only some tasks and inputs have


def sections_of(config: Config) -> set[str]:
    """Return the optional sections that apply to the task and the input of a model."""
    return sections_of_task(config.task) | (set() if INPUTS[config.input].is_text else {"source"})


def sections_of_task(task: str) -> set[str]:
    """Return the optional sections that apply to a task."""
    return {section for each in TASKS.values() if each.config_name == task for section in each.sections}


# Names of our settings in other tools and in the paper.
ALIASES = {
    "learning_rate": "lr", "optimizer": "optimiser", "num_epochs": "epochs", "n_epochs": "epochs",
    "batch": "batch_size", "hops": "n_hops", "r": "n_hops", "heads": "n_hops", "d_a": "attention_width", "u": "units",
    "hidden_size": "units", "embedding_dim": "embed_width", "weight_decay": "l2", "max_length": "max_tokens",
    "maxlen": "max_tokens", "max_features": "vocab_size", "clip_grad": "clip", "random_state": "seed",
    "pooling": "pooler",
}  # fmt: skip


def all_fields() -> Iterator[tuple[str, dataclasses.Field[Any]]]:
    """Yield (section, field) for every setting."""
    for section, cls in SECTIONS.items():
        for f in dataclasses.fields(cls):
            yield section, f


# Settings that are newer than the first folders of format 1. Every folder has all others that are not None.
_LATER = {
    "answer", "skip_bad", "stream", "shuffle_rows", "one_hot", "letters", "score", "self_score", "places", "count",
    "whole", "gate_units", "crf", "decoder_units", "smoothing", "keep", "average", "miss_cost", "other_case",
    "context_dropout", "sep", "encoding", "header", "sheet", "ngrams", "min_texts",
    "compare", "n_positions", "n_distances", "norm_epsilon", "pool_special", "unit_vectors", "variations",
}  # fmt: skip


def load_config(path: str | Path) -> Config:
    """Read a TOML file of settings. Paths in it are relative to its folder."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError(["no such file"], source=str(path)) from None
    except OSError as error:
        raise ConfigError([f"cannot be read: {error.strerror}"], source=str(path)) from None
    return config_from_toml(content, path=Path(path))


def config_from_toml(content: bytes, *, path: Path, complete: bool = False) -> Config:
    """Build a Config from the content of the file at `path`; if it must be `complete`, no setting may be missing."""
    if len(content) > MAX_BYTES:
        raise ConfigError([f"larger than {MAX_BYTES // 1024} KiB"], source=str(path))
    try:
        tree = tomllib.loads(content.decode("utf-8-sig"))
    except ValueError as error:  # not TOML, not UTF-8, or a number that is too long
        raise ConfigError([f"not TOML: {error}"], source=str(path)) from None
    except RecursionError:
        raise ConfigError(["not TOML that can be parsed: nested too deeply"], source=str(path)) from None
    config = config_from_dict(tree, source=str(path))
    if complete and (missing := _missing(tree, config.task)):
        raise ConfigError(
            [f"{', '.join(missing)} missing: the file is truncated, or not from a model folder."], source=str(path)
        )
    return config.with_paths(lambda given: os.path.join(os.path.dirname(path), given))  # noqa: PTH118, PTH120


def _missing(tree: Mapping[str, Any], task: str) -> list[str]:
    """Return the first few settings that this tree lacks and every model folder has."""
    expected = [
        f"{section}.{f.name}"
        for section, f in all_fields()
        if f.default is not None and f.name not in _LATER and section not in _OPTIONAL - sections_of_task(task)
    ]
    present = {f"{section}.{name}" for section in SECTIONS for name in tree.get(section, ())}
    return [name for name in ("format", "task") if name not in tree][:3] or [
        name for name in expected if name not in present
    ][:3]


def config_from_dict(tree: Mapping[str, Any], *, source: str) -> Config:
    """Build a Config from nested values, or raise with every fault."""
    faults: list[str] = []
    rest = dict(tree)
    if (given := rest.pop("format", FORMAT)) not in FORMATS or type(given) is not int:
        readable = " and ".join(map(str, FORMATS))
        faults.append(f"format is {_shown(given)}; this heedful reads formats {readable}. A newer heedful may read it.")
    for name in list(rest):
        if name not in (*SECTIONS, "task", "input"):
            faults.append(f"{name:.100} is not a section.{did_you_mean(name, SECTIONS) or _nearest(name)}")
            del rest[name]
    config = _checked(rest, faults, source=source)
    return dataclasses.replace(config, given=frozenset(name for section in SECTIONS for name in rest.get(section, ())))


def _checked(tree: Mapping[str, Any], faults: list[str], *, source: str) -> Config:
    """Build a Config from section → values, adding to `faults`; raise if there are any."""
    task = tree.get("task", "classify")
    kind = tree.get("input", "text")
    for name, value, known in (("task", task, config_names()), ("input", kind, tuple(INPUTS))):
        if value not in known:
            meant = did_you_mean(str(value), known)
            faults.append(f"{name} is {_shown(value)}, expected one of {', '.join(known)}.{meant}")
    built: dict[str, Any] = {}
    for section, cls in SECTIONS.items():
        given = tree.get(section, {})
        if not isinstance(given, Mapping):
            faults.append(f"{section} is {_shown(given)}, expected a table of settings.")
            continue
        built[section] = _section(section, cls, given, faults)
    if faults:
        raise ConfigError(faults, source=source)
    return Config(task=task, input=kind, **built)


def _section(section: str, cls: type[Any], given: Mapping[str, Any], faults: list[str]) -> Any:
    hints = typing.get_type_hints(cls)
    fields = {f.name: f for f in dataclasses.fields(cls)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in fields:
            faults.append(f"{section}.{name:.100} is not a setting.{_nearest(name)}")
            continue
        good, fixed = _fits(value, hints[name])
        if not good:
            faults.append(f"{section}.{name} is {_shown(value)}, expected {_type_name(hints[name])}.")
        elif problem := _out_of_range(fixed, fields[name].metadata):
            faults.append(f"{section}.{name} is {_shown(value)}, expected {problem}.")
        else:
            values[name] = fixed
    return None if faults else cls(**values)


def _fits(value: Any, hint: Any) -> tuple[bool, Any]:
    """Return whether `value` has the type `hint`, and the value in that type."""
    if isinstance(hint, types.UnionType):
        return (True, None) if value is None else _fits(value, typing.get_args(hint)[0])
    if typing.get_origin(hint) is tuple:
        good = isinstance(value, (list, tuple)) and 0 < len(value) <= MAX_LIST and all(type(v) is int for v in value)
        return good, tuple(value) if good else value
    if hint is float:
        good = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
        return good, float(value) if good else value
    if hint is int and type(value) is not bool and isinstance(value, Integral):  # NumPy's whole numbers too
        return True, int(value)
    if hint is str and isinstance(value, Path):
        return True, str(value)
    return type(value) is hint, value


def _type_name(hint: Any) -> str:
    if isinstance(hint, types.UnionType):
        hint = typing.get_args(hint)[0]
    if typing.get_origin(hint) is tuple:
        return f"a list of 1 to {MAX_LIST} whole numbers"
    return {int: "a whole number", float: "a number", str: "a string", bool: "true or false"}[hint]


def _out_of_range(value: Any, metadata: Mapping[str, Any]) -> str | None:
    """Return what was expected if `value` is out of range, else None."""
    choices, low, high = metadata["choices"], metadata["low"], metadata["high"]
    if choices and value not in choices:
        return f"one of {', '.join(choices)}" + did_you_mean(str(value), choices).rstrip("?").replace(" Did", "; did")
    numbers = value if isinstance(value, tuple) else (value,)
    if low is not None and any(n is not None and not n >= low for n in numbers):
        return f"at least {_written(low)}"
    if high is not None and any(n is not None and not n <= high for n in numbers):
        return f"at most {_written(high)}"
    return None


def _shown(value: Any) -> str:
    try:
        return f"{value!r:.100}"
    except (ValueError, RecursionError):  # a whole number of thousands of digits
        return "too long to be shown"


def _written(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


def _nearest(name: str) -> str:
    """Return a suggestion of the setting that was probably meant, with its section."""
    owner = {f.name: section for section, f in all_fields()}
    plain = name.replace("-", "_")
    meant = plain if plain in owner else ALIASES.get(plain)
    if meant is None:
        return did_you_mean(name, [f"{section}.{known}" for known, section in owner.items()] + list(owner))
    return f" Did you mean {owner[meant]}.{meant}?"
