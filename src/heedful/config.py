"""Settings: frozen dataclasses, read from TOML, from keywords and from flags, every fault listed at once.

A field's name is its TOML key, its keyword in `heedful.train(...)` and its flag on the command line, so names are
unique over all sections.
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

TASKS = ("classify", "regress", "embed")
FORMAT = 1  # of the model folder; raised when an older heedful could not read a newer folder


def setting(
    default: Any,
    about: str,
    *,
    choices: tuple[str, ...] = (),
    low: float | None = None,
    high: float | None = None,
) -> Any:
    """Declare a setting with its default, what it is, and what values are right."""
    return field(default=default, metadata={"about": about, "choices": choices, "low": low, "high": high})


@dataclass(frozen=True)
class DataSettings:
    """Which file, which columns, and how much is kept back."""

    train: str | None = setting(None, "file of labelled texts to learn from")
    valid: str | None = setting(
        None, "file for choosing the best epoch; without it a part of the training file is used"
    )
    text: str | None = setting(None, "name of the column with the text")
    label: str | None = setting(None, "name of the column with the answer")
    valid_share: float = setting(
        0.1, "part of the training file kept back where there is no valid file", low=0.01, high=0.5
    )


@dataclass(frozen=True)
class TextSettings:
    """From text to tokens to numbers."""

    tokens: str = setting("words", "what a token is", choices=("words", "subwords"))
    lowercase: bool = setting(True, "treat Word and word as one")
    vocab_size: int = setting(50_000, "how many different tokens the model knows", low=3)
    min_count: int = setting(1, "how often a word must occur to be known", low=1)
    max_tokens: int = setting(1_000, "tokens read of each text; the rest is cut off", low=1)
    vectors: str | None = setting(None, "file of word vectors to start from (GloVe, word2vec, fastText)")
    tune_vectors: bool = setting(True, "let training change the word vectors")


@dataclass(frozen=True)
class ModelSettings:
    """The network: embed, encode, attend, answer."""

    embed_width: int = setting(100, "width of a token's vector (a vectors file brings its own)", low=1)
    encoder: str = setting(
        "bilstm", "what gives tokens their context", choices=("bilstm", "cnn", "static", "transformer")
    )
    units: int = setting(
        100, "LSTM units in each direction (u), CNN filters for each kernel size, or the transformer's width", low=1
    )
    n_layers: int = setting(2, "layers of the transformer", low=1)
    n_heads: int = setting(4, "heads in each layer of the transformer", low=1)
    inner_units: int = setting(400, "units of the fully connected part of a transformer's layer", low=1)
    keep_words: bool = setting(False, "keep each token's own vector beside its state")
    kernel_sizes: tuple[int, ...] = setting((3, 4, 5), "widths of the CNN's windows, in tokens", low=1)
    pooler: str = setting(
        "structured", "how states become the embedding", choices=("structured", "mean", "max", "last")
    )
    score: str = setting(
        "additive",
        "how well a token fits a hop of structured attention; additive is the paper's",
        choices=("additive", "dot", "scaled_dot", "general", "content", "location"),
    )
    n_hops: int = setting(8, "rows of attention (r)", low=1)
    attention_width: int = setting(100, "width inside the attention (d_a)", low=1)
    penalty: float = setting(0.01, "coefficient of ‖AAᵀ − I‖² (Eq. 8), which keeps hops apart", low=0.0)
    head: str = setting(
        "pruned",
        "the layer that answers; an encoder of texts has vector",
        choices=("pruned", "full", "mapped", "vector"),
    )
    vector_width: int = setting(384, "numbers in the vector of a text (heads mapped and vector)", low=1)
    hidden: int = setting(512, "units of the full head", low=1)
    row_units: int = setting(25, "units of the pruned head for each row of M (p)", low=1)
    column_units: int = setting(4, "units of the pruned head for each column of M (q)", low=1)
    dropout: float = setting(0.4, "share of numbers dropped while training", low=0.0, high=0.95)


@dataclass(frozen=True)
class TrainSettings:
    """How the network learns."""

    optimiser: str = setting("adam", "how weights are changed", choices=("adam", "sgd", "adagrad"))
    lr: float = setting(3e-3, "learning rate", low=0.0)
    schedule: str = setting("linear", "how the learning rate falls", choices=("constant", "linear", "cosine"))
    warmup: float = setting(0.05, "part of the steps in which the learning rate rises", low=0.0, high=0.9)
    batch_size: int = setting(0, "texts in a step; 0 chooses by how many texts there are", low=0)
    epochs: int = setting(0, "passes over the training texts, at most; 0 chooses by how many texts there are", low=0)
    patience: int = setting(5, "epochs without a better figure before stopping", low=1)
    figure: str = setting("accuracy", "what the best epoch is best at", choices=("accuracy", "macro_f1"))
    clip: float = setting(1.0, "largest norm of a gradient; 0 for no limit", low=0.0)
    l2: float = setting(0.0, "weight decay (with adam decoupled from the gradient, as in AdamW)", low=0.0)
    word_dropout: float = setting(0.05, "share of tokens read as unknown while training", low=0.0, high=0.9)
    class_weights: str = setting("none", "give rare labels more weight", choices=("none", "balanced"))
    start: str = setting(
        "auto", "encoder to begin from: a folder, en-base, or none; auto is en-base for English and a default network"
    )
    tune: str = setting(
        "auto",
        "what is trained when beginning from an encoder: all of it, or the answer only; auto goes by how many texts",
        choices=("auto", "all", "answer"),
    )
    seed: int = setting(0, "same seed, same model", low=0, high=2**32 - 1)
    device: str = setting(
        "auto", "where to train; auto takes a GPU if torch finds one", choices=("auto", "cpu", "cuda")
    )
    threads: int = setting(0, "CPU threads; 0 chooses by the size of the model", low=0)
    checkpoint_minutes: float = setting(5.0, "time between checkpoints inside an epoch", low=0.0)


@dataclass(frozen=True)
class EncodeSettings:
    """How an encoder of texts learns: from a teacher, or from pairs of texts that belong together."""

    teacher: str | None = setting(None, "folder or package of the teacher, or a .npy file of its vectors")
    pairs: str | None = setting(None, "two columns whose texts belong together, such as question,answer")
    likeness: float = setting(
        5.0, "weight of the error in the likeness of pairs, beside that of single vectors", low=0.0
    )
    ranking: float = setting(1.0, "weight of errors in which of the other texts are nearest", low=0.0)
    near: int = setting(1, "texts of a step come in groups of so many that the teacher finds near each other", low=1)
    kept_texts: int = setting(2_000, "texts or pairs kept back for checking, at most a tenth", low=1)
    temperature: float = setting(0.05, "by which likenesses are divided when texts compete", low=0.001, high=10.0)
    small: bool = setting(True, "keep one byte for each number of the table of tokens, and two for others")


@dataclass(frozen=True)
class Config:
    """All settings of a model: enough to train it again."""

    task: str = "classify"
    data: DataSettings = DataSettings()
    text: TextSettings = TextSettings()
    model: ModelSettings = ModelSettings()
    train: TrainSettings = TrainSettings()
    encode: EncodeSettings = EncodeSettings()
    given: frozenset[str] = field(default=frozenset(), compare=False, repr=False)  # what somebody chose, by name

    def with_given(self, **settings: Any) -> Config:
        """Return a copy with settings that somebody chose: these stand, even where they are the default."""
        before = frozenset() if "start" in settings else self.given  # chosen for another start: may not fit this one
        return dataclasses.replace(self.changed(**settings), given=before | frozenset(settings))

    def changed(self, **settings: Any) -> Config:
        """Return a copy with these settings, named without their section."""
        faults: list[str] = []
        sections: dict[str, Any] = {name: dataclasses.asdict(getattr(self, name)) for name in SECTIONS}
        task = settings.pop("task", self.task)
        owner = {f.name: section for section, f in all_fields()}
        for name, value in settings.items():
            if name not in owner:
                faults.append(f"{name} is not a setting.{_nearest(name)}")
            else:
                sections[owner[name]][name] = value
        return dataclasses.replace(_checked({"task": task, **sections}, faults, source="settings"), given=self.given)

    def with_paths(self, change: Callable[[str], str]) -> Config:
        """Return a copy in which every path to a file of the user's is changed."""
        given = {"train": self.data.train, "valid": self.data.valid, "vectors": self.text.vectors}
        either = {"teacher": self.encode.teacher or "", "start": self.train.start}  # paths, or names of models
        given |= {name: value for name, value in either.items() if os.sep in value or value.endswith(".npy")}
        return self.changed(**{name: change(value) for name, value in given.items() if value is not None})

    def to_dict(self) -> dict[str, Any]:
        """Return plain nested values, without the settings that are None."""
        tree: dict[str, Any] = {"format": FORMAT, "task": self.task}
        for name in SECTIONS:
            if name == "encode" and self.task != "embed" and self.encode == EncodeSettings():
                continue  # a classifier has no use for it
            values = dataclasses.asdict(getattr(self, name))
            tree[name] = {k: list(v) if isinstance(v, tuple) else v for k, v in values.items() if v is not None}
        return tree


SECTIONS: dict[str, type[Any]] = {
    "data": DataSettings,
    "text": TextSettings,
    "model": ModelSettings,
    "train": TrainSettings,
    "encode": EncodeSettings,
}

# What other tools call our settings, and the paper's symbols.
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


def load_config(path: str | Path) -> Config:
    """Read a TOML file of settings. Relative paths in it are meant from the folder it lies in."""
    try:
        tree = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise ConfigError(["no such file"], source=str(path)) from None
    except OSError as error:
        raise ConfigError([f"cannot be read: {error.strerror}"], source=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError([f"not TOML: {error}"], source=str(path)) from None
    config = config_from_dict(tree, source=str(path))
    return config.with_paths(lambda given: os.path.join(os.path.dirname(path), given))  # noqa: PTH118, PTH120


def config_from_dict(tree: Mapping[str, Any], *, source: str) -> Config:
    """Build a Config from nested values, or raise with every fault."""
    faults: list[str] = []
    rest = dict(tree)
    if (found := rest.pop("format", FORMAT)) != FORMAT:
        faults.append(f"format is {found!r}; this heedful reads format {FORMAT}. A newer heedful may read it.")
    for name in list(rest):
        if name not in (*SECTIONS, "task"):
            faults.append(f"{name} is not a section.{did_you_mean(name, SECTIONS) or _nearest(name)}")
            del rest[name]
    config = _checked(rest, faults, source=source)
    return dataclasses.replace(config, given=frozenset(name for section in SECTIONS for name in rest.get(section, ())))


def _checked(tree: Mapping[str, Any], faults: list[str], *, source: str) -> Config:
    """Build a Config from section → values, adding to `faults`; raise where there are any."""
    task = tree.get("task", "classify")
    if task not in TASKS:
        faults.append(f"task is {task!r}, expected one of {', '.join(TASKS)}.")
    built: dict[str, Any] = {}
    for section, cls in SECTIONS.items():
        given = tree.get(section, {})
        if not isinstance(given, Mapping):
            faults.append(f"{section} is {given!r}, expected a table of settings.")
            continue
        built[section] = _section(section, cls, given, faults)
    if faults:
        raise ConfigError(faults, source=source)
    return Config(task=task, **built)


def _section(section: str, cls: type[Any], given: Mapping[str, Any], faults: list[str]) -> Any:
    hints = typing.get_type_hints(cls)
    fields = {f.name: f for f in dataclasses.fields(cls)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in fields:
            faults.append(f"{section}.{name} is not a setting.{_nearest(name)}")
            continue
        good, fixed = _fits(value, hints[name])
        if not good:
            faults.append(f"{section}.{name} is {value!r}, expected {_type_name(hints[name])}.")
        elif problem := _out_of_range(fixed, fields[name].metadata):
            faults.append(f"{section}.{name} is {value!r}, expected {problem}.")
        else:
            values[name] = fixed
    return None if faults else cls(**values)


def _fits(value: Any, hint: Any) -> tuple[bool, Any]:
    """Return whether `value` has the type `hint`, and the value in that type."""
    if isinstance(hint, types.UnionType):
        return (True, None) if value is None else _fits(value, typing.get_args(hint)[0])
    if typing.get_origin(hint) is tuple:
        good = isinstance(value, (list, tuple)) and len(value) > 0 and all(type(v) is int for v in value)
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
        return "a list of one whole number or more"
    return {int: "a whole number", float: "a number", str: "a string", bool: "true or false"}[hint]


def _out_of_range(value: Any, metadata: Mapping[str, Any]) -> str | None:
    """Return what would be right, where `value` is not."""
    choices, low, high = metadata["choices"], metadata["low"], metadata["high"]
    if choices and value not in choices:
        return f"one of {', '.join(choices)}" + did_you_mean(str(value), choices).rstrip("?").replace(" Did", "; did")
    numbers = value if isinstance(value, tuple) else (value,)
    if low is not None and any(n is not None and not n >= low for n in numbers):
        return f"at least {low:g}"
    if high is not None and any(n is not None and not n <= high for n in numbers):
        return f"at most {high:g}"
    return None


def _nearest(name: str) -> str:
    """Suggest the setting that was probably meant, with its section."""
    owner = {f.name: section for section, f in all_fields()}
    plain = name.replace("-", "_")
    meant = plain if plain in owner else ALIASES.get(plain)
    if meant is None:
        return did_you_mean(name, [f"{section}.{known}" for known, section in owner.items()] + list(owner))
    return f" Did you mean {owner[meant]}.{meant}?"
