import dataclasses
import tomllib
import typing
from pathlib import Path

import numpy as np
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from heedful.config import ALIASES, FORMAT, SECTIONS, Config, all_fields, config_from_dict, load_config
from heedful.errors import ConfigError


def faults(**settings):
    with pytest.raises(ConfigError) as caught:
        Config().changed(**settings)
    return caught.value.faults


def file_faults(folder, text):
    (folder / "config.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(folder / "config.toml")
    assert all(line.startswith(f"{folder / 'config.toml'}: ") for line in str(caught.value).splitlines())
    return caught.value.faults


def right_values(section, field):
    """Return a strategy of values that the setting takes."""
    hint, rule = typing.get_type_hints(SECTIONS[section])[field.name], field.metadata
    low, high = rule["low"], rule["high"]
    if hint == float | None:
        return st.none() | st.floats(low, high)
    if rule["choices"]:
        return st.sampled_from(list(rule["choices"]))
    if hint is bool:
        return st.booleans()
    if hint == bool | None:
        return st.none() | st.booleans()
    if hint is int:
        return st.integers(int(low), int(high) if high is not None else 10**6)
    if hint is float:
        return st.floats(low, high if high is not None else 1e6)
    if typing.get_origin(hint) is tuple:
        return st.lists(st.integers(int(low), 9), min_size=1, max_size=4).map(tuple)
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
    return text if hint is str else st.none() | text


SETTINGS = st.fixed_dictionaries({}, optional={f.name: right_values(s, f) for s, f in all_fields()})


def test_names_are_unique_over_sections():
    names = [field.name for _, field in all_fields()]
    assert len(names) == len(set(names)) > 30


def test_every_setting_says_what_it_is_and_its_default_is_right():
    assert config_from_dict(Config().to_dict(), source="defaults") == Config()
    for section, field in all_fields():
        assert field.metadata["about"], f"{section}.{field.name}"


def test_aliases_lead_to_settings_and_are_none():
    names = {field.name for _, field in all_fields()}
    assert set(ALIASES.values()) <= names
    assert not set(ALIASES) & names


@given(SETTINGS)
def test_settings_go_to_toml_and_back(settings):
    config = Config().changed(**settings)
    text = tomli_w.dumps(config.to_dict())
    assert config_from_dict(tomllib.loads(text), source="again") == config
    owner = {field.name: section for section, field in all_fields()}
    assert {name: getattr(getattr(config, owner[name]), name) for name in settings} == settings


def test_changes_leave_the_rest_and_the_original_alone():
    before = Config().changed(lr=0.5)
    after = before.changed(n_hops=3)
    assert (after.train.lr, after.model.n_hops) == (0.5, 3)
    assert before.model.n_hops == Config().model.n_hops != 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        after.model.n_hops = 4


def test_what_was_chosen_is_known_even_where_it_is_the_default(tmp_path):
    lr = Config().train.lr
    assert Config().changed(lr=lr).given == frozenset()
    chosen = Config().with_given(lr=lr)
    assert chosen.given == {"lr"} and chosen == Config() and chosen.changed(n_hops=3).given == {"lr"}
    assert chosen.with_given(seed=1).given == {"lr", "seed"}
    assert chosen.with_given(start="none").given == {"start"}, "chosen for another start"
    (tmp_path / "c.toml").write_text(f"[train]\nlr = {lr}\n[data]\ntrain = 'in.csv'\n", encoding="utf-8")
    assert load_config(tmp_path / "c.toml").given == {"lr", "train"}


def test_a_file_is_read(tmp_path):
    (tmp_path / "c.toml").write_bytes(b"\xef\xbb\xbf[model]\r\nkernel_sizes = [2, 3]\r\n[train]\r\nlr = 1\r\n")
    config = load_config(tmp_path / "c.toml")
    assert config.model.kernel_sizes == (2, 3)
    assert config.train.lr == 1.0
    assert type(config.train.lr) is float


def test_every_fault_is_listed_at_once(tmp_path):
    text = "format = 99\ntask = 'sing'\nlr = 1\n[model]\nn_hops = 0\nencoder = 'bilstn'\n[train]\nlr = 'fast'\n[dat]\n"
    found = "\n".join(file_faults(tmp_path, text))
    for part in ("format is 99", "task is 'sing'", "lr is not a section", "model.n_hops is 0, expected at least 1"):
        assert part in found
    for part in (
        "did you mean bilstm",
        "train.lr is 'fast', expected a number",
        "dat is not a section. Did you mean data?",
    ):
        assert part in found


def test_the_setting_that_was_meant_is_named_with_its_section(tmp_path):
    text = "seed = 1\n[train]\nlearning_rate = 1\nbatch-size = 2\nepoch = 1\n[model]\nlr = 1\nr = 3\n"
    assert file_faults(tmp_path, text) == (
        "seed is not a section. Did you mean train.seed?",
        "model.lr is not a setting. Did you mean train.lr?",
        "model.r is not a setting. Did you mean model.n_hops?",
        "train.learning_rate is not a setting. Did you mean train.lr?",
        "train.batch-size is not a setting. Did you mean train.batch_size?",
        "train.epoch is not a setting. Did you mean epochs?",
    )


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("n_hops", True, "a whole number"),
        ("n_hops", 2.0, "a whole number"),
        ("n_hops", "2", "a whole number"),
        ("n_hops", None, "a whole number"),
        ("lr", float("nan"), "a number"),
        ("lr", float("inf"), "a number"),
        ("lr", 10**400, "a number"),
        ("lr", -1, "at least 1e-15"),
        ("lr", False, "a number"),
        ("dropout", 1.0, "at most 0.95"),
        ("valid_share", 0.9, "at most 0.5"),
        ("lowercase", 1, "true or false"),
        ("kernel_sizes", [], "a list of 1 to 32 whole numbers"),
        ("kernel_sizes", 3, "a list of 1 to 32 whole numbers"),
        ("kernel_sizes", [3, 0], "at least 1"),
        ("train", 5, "a string"),
        ("head", "big", "one of linear, pruned, full"),
    ],
)
def test_a_value_that_does_not_fit_says_what_would(name, value, expected):
    (fault,) = faults(**{name: value})
    assert f".{name} is {value!r:.100}, expected {expected}" in fault


def test_numbers_too_long_to_be_written_and_deep_nesting_are_one_message(tmp_path):
    for text in ("[model]\nn_hops = " + "9" * 5_000, "[model]\nn_hops = 0x" + "f" * 5_000, "a = " + "[" * 100_000):
        (fault,) = file_faults(tmp_path, text)
        assert len(fault) < 300


def test_paths_and_numpy_numbers_are_taken_as_plain_values():
    config = Config().changed(train=Path("a.csv"), n_hops=np.int64(3), lr=np.float64(0.5))
    assert (config.data.train, config.model.n_hops, config.train.lr) == ("a.csv", 3, 0.5)
    assert type(config.model.n_hops) is int


@pytest.mark.parametrize("text", ["not toml", "[model]\nn_hops = \n", "a = 1\na = 2\n"])
def test_what_is_not_toml_says_where(tmp_path, text):
    (fault,) = file_faults(tmp_path, text)
    assert fault.startswith("not TOML: ")
    assert "line" in fault


def test_files_that_cannot_be_read_are_one_message(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.toml: no such file"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load_config(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"# caf\xe9\n")
    with pytest.raises(ConfigError, match="not TOML"):
        load_config(tmp_path / "latin.toml")


def test_a_section_that_is_no_table_is_named(tmp_path):
    assert file_faults(tmp_path, "model = 5\n") == ("model is 5, expected a table of settings.",)


def test_a_newer_format_is_a_clear_error():
    with pytest.raises(ConfigError, match=f"format is {FORMAT + 1}; this heedful reads formats 1 and {FORMAT}"):
        config_from_dict({"format": FORMAT + 1}, source="config.toml")
