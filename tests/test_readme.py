"""What the README shows works, and what it claims is what was measured."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from heedful.cli.main import main
from heedful.jobs.sample_files import write_messages

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, flags=re.DOTALL)


@pytest.fixture
def in_a_folder_with_messages(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_messages(Path())


@pytest.fixture
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.slow
@pytest.mark.usefixtures("in_a_folder_with_messages")
def test_the_python_runs():
    assert blocks("python")
    for code in blocks("python"):
        exec(compile(code, "README.md", "exec"), {})


@pytest.mark.slow
@pytest.mark.usefixtures("in_an_empty_folder")
def test_the_commands_run_as_they_are_written(capsys):
    commands = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]
    assert len(commands) >= 6
    for command in commands:
        words = shlex.split(command)
        assert words[0] == "heedful"
        assert main(words[1:]) == 0, command
        said = capsys.readouterr().err
        assert "no effect" not in said and "in the training data" not in said, command
    assert Path("page.html").exists()
    assert Path("labelled.csv").exists()


def test_it_leads_to_the_cpu_build_of_torch_first():
    install = next(block for block in re.findall(r"```\n(.*?)```", README, flags=re.DOTALL) if "[train]" in block)
    pinned = re.search(r"^torch==(\S+)$", (ROOT / "constraints.txt").read_text(), flags=re.MULTILINE)
    assert pinned and f"pip install torch=={pinned[1]}" in install
    assert install.index("pip install torch==") < install.index('pip install ".[train]"')


def test_the_tables_are_those_of_the_result_files():
    sys.path.insert(0, str(ROOT))
    from benchmarks.readme import BLOCKS, filled

    for name in BLOCKS:
        assert f"<!-- {name} -->" in README, f"the README has no place for {name}"
    assert filled(README) == README, "run: python -m benchmarks.readme"


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "recipes/README.md"])
def test_links_lead_somewhere(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if not target.startswith("http"):
            assert ((ROOT / document).parent / target).exists(), target


def test_the_rows_of_tasks_were_made_by_the_recipes_that_are_here():
    sys.path.insert(0, str(ROOT))
    from benchmarks.result import read_result
    from benchmarks.tasks import SETS, measured

    for name, found in read_result("tasks").items():
        for variant in found["rows"]:
            assert measured(SETS[name], variant), f"{name}, {variant}: run python -m benchmarks.tasks {name}"


def test_the_result_files_say_how_they_were_made():
    import json

    for path in (ROOT / "benchmarks" / "results").glob("*.json"):
        result = json.loads(path.read_text(encoding="utf-8"))
        assert {"command", "machine", "versions", "seeds", "figures"} <= set(result), path
