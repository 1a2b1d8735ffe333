from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from heedful.cli.completion import SCRIPTS
from heedful.cli.main import COMMANDS, main, parser_of
from heedful.store.shipped import shipped_models

COMPLETE = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_heedful
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scripts")
    for shell in SCRIPTS:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "heedful", "completion", shell],
            capture_output=True, text=True, check=True, timeout=600,
        )  # fmt: skip
        (folder / shell).write_text(done.stdout, encoding="utf-8")
    return folder


def completed(scripts, *words: str, cwd=None) -> list[str]:
    """Return what bash offers for the last word of a line."""
    done = subprocess.run(
        ["bash", "--norc", "-u", "-c", COMPLETE, "bash", str(scripts / "bash"), "heedful", *words],
        capture_output=True, text=True, check=True, timeout=60, cwd=cwd,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_completes_commands(scripts):
    assert completed(scripts, "") == [*COMMANDS, "--help", "--version"]
    assert completed(scripts, "tr") == ["train"]
    assert completed(scripts, "--v") == ["--version"]
    assert completed(scripts, "nothing") == []


@pytest.mark.parametrize("command", COMMANDS)
def test_bash_completes_every_option_of_every_command(scripts, command):
    options = [name for action in parser_of(command)._actions for name in action.option_strings]
    assert "--help" in options
    assert sorted(completed(scripts, command, "-")) == sorted(options)


def test_bash_completes_the_choices_of_an_option_and_of_an_argument(scripts):
    assert completed(scripts, "train", "reviews.csv", "--encoder", "bi") == ["bilstm"]
    assert "regress" in completed(scripts, "train", "--task", "")
    assert completed(scripts, "completion", "") == list(SCRIPTS)


def test_bash_completes_bundled_models_and_leaves_files_to_the_shell(scripts):
    assert completed(scripts, "predict", "en-") == list(shipped_models())
    assert completed(scripts, "predict", "") == []
    assert completed(scripts, "train", "--out", "") == []
    assert "complete -o bashdefault -o default -F _heedful heedful" in (scripts / "bash").read_text()


def test_bash_takes_a_word_with_shell_characters_as_it_is(scripts, tmp_path):
    for word in ("$(touch made)", "`touch made`", "*", "'", '"', "-*"):
        completed(scripts, "predict", word, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_script_starts_no_process(scripts):
    for shell in SCRIPTS:
        script = (scripts / shell).read_text(encoding="utf-8")
        assert script.count("$(") == script.count("$(compgen ") and "(heedful" not in script


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_that_is_installed_can_parse_its_script(scripts, shell):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    subprocess.run([shell, "-n", str(scripts / shell)], check=True, timeout=60)


def test_fish_has_a_line_for_every_command_and_option(scripts):
    lines = (scripts / "fish").read_text(encoding="utf-8").splitlines()
    assert all(line.startswith("complete -c heedful -n '") and line.count("'") % 2 == 0 for line in lines)
    for command in COMMANDS:
        assert any(f"__fish_use_subcommand' -f -a '{command}'" in line for line in lines)
        options = [a for a in parser_of(command)._actions if a.option_strings]
        assert sum(f"__fish_seen_subcommand_from {command}' -" in line for line in lines) >= len(options)


def test_another_shell_is_one_message(capsys):
    with pytest.raises(SystemExit) as left:
        main(["completion", "csh"])
    assert left.value.code == 2 and "invalid choice" in capsys.readouterr().err


def test_the_start_of_heedful_does_not_load_completion():
    code = (
        "import sys\nfrom heedful.cli.main import main\nmain(['--help'])\n"
        "print('loaded:', [name for name in sys.modules if 'completion' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded: []"
