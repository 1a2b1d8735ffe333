import argparse

import pytest

from heedful.cli.shared.flags import CLASSIFIER, POSITIONAL, add_setting_flags, given_settings
from heedful.config import SECTIONS, Config, all_fields
from heedful.settings import FIRST

FIELDS = {field.name: field for _, field in all_fields() if field.name not in POSITIONAL}


@pytest.fixture
def parser():
    parser = argparse.ArgumentParser(prog="test", allow_abbrev=False)
    add_setting_flags(parser, tuple(SECTIONS))
    return parser


def flags(parser):
    return {flag: action for action in parser._actions for flag in action.option_strings}


def as_typed(value):
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def test_every_setting_has_a_flag_of_its_name_and_there_is_no_other(parser):
    found = {action.dest for action in flags(parser).values()} - {"help"}
    assert found == set(FIELDS)
    for name in FIELDS:
        assert flags(parser)[f"--{name.replace('_', '-')}"].dest == name


def test_what_is_not_given_stays_out(parser):
    assert given_settings(parser.parse_args([])) == {}


def test_a_default_given_as_a_flag_is_the_default(parser):
    offenders = []
    for name, field in FIELDS.items():
        flag = f"--{name.replace('_', '-')}"
        if name == "header":  # yes, no, or detected
            words = [f"--no-{name}"]
        elif field.default is None:
            words = [flag, "0.5" if name.endswith("dropout") else "some name"]
        elif isinstance(field.default, bool):
            words = [flag if field.default else f"--no-{flag[2:]}"]
        else:
            words = [flag, as_typed(field.default)]
        settings = given_settings(parser.parse_args(words))
        is_default = field.default is None or Config().changed(**settings) == Config()
        if list(settings) != [name] or not is_default:
            offenders.append((words, settings))
    assert not offenders


def test_flags_become_settings(parser):
    words = [
        "--hops=3",
        "--learning-rate=0.01",
        "--no-lowercase",
        "--kernel-sizes=2,3",
        "--text=review",
        "--encoder=cnn",
    ]
    config = Config().changed(**given_settings(parser.parse_args(words)))
    assert (config.model.n_hops, config.train.lr, config.text.lowercase) == (3, 0.01, False)
    assert (config.model.kernel_sizes, config.data.text, config.model.encoder) == ((2, 3), "review", "cnn")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--kernel-sizes", "3,x"], "found '3,x', expected whole numbers and commas, such as 3,4,5"),
        (["--n-hops", "many"], "--n-hops/--hops: invalid int value: 'many'"),
        (["--encoder", "gru"], "invalid choice: 'gru'"),
    ],
)
def test_a_value_that_does_not_fit_is_one_message_and_exit_2(parser, capsys, words, message):
    with pytest.raises(SystemExit) as caught:
        parser.parse_args(words)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_help_tells_what_each_setting_is_and_its_default(parser):
    text = " ".join(parser.format_help().split())
    for name, field in FIELDS.items():
        assert " ".join(field.metadata["about"].split()[:4]) in text, name
    assert "(default 50,000)" in text
    assert "(default 3,4,5)" in text


def test_flags_of_the_command_do_not_take_a_setting_away():
    from heedful.cli.commands import train

    parser = argparse.ArgumentParser()
    train.add_arguments(parser)
    args = parser.parse_args(["a.csv", "--text", "t", "--out", "m"])
    assert given_settings(args) == {"text": "t"}


def test_help_lists_the_first_settings_and_help_all_lists_every_one(capsys):
    parser = argparse.ArgumentParser(prog="test", allow_abbrev=False)
    add_setting_flags(parser, first=FIRST)
    short = parser.format_help()
    assert all(f"--{name.replace('_', '-')} " in short for name in FIRST)
    assert "--attention-width" not in short and "--help-all" in short
    assert given_settings(parser.parse_args(["--attention-width", "3"])) == {"attention_width": 3}
    with pytest.raises(SystemExit) as exit_:
        parser.parse_args(["--help-all"])
    assert exit_.value.code == 0
    listed = capsys.readouterr().out
    names = [field.name for section, field in all_fields() if section in CLASSIFIER and field.name not in POSITIONAL]
    assert [name for name in names if f"--{name.replace('_', '-')} " not in listed.replace(",", " ")] == []
