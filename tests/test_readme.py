"""What the README and the pages it leads to show works, and what they claim is what was measured."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.fresh_venv import fresh_venv, requirements

from heedful.cli.main import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON, SHELL, RESULTS = ((ROOT / "docs" / f"{n}.md").read_text("utf-8") for n in ("python", "command-line", "results"))
DOCUMENTS = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "benchmarks/README.md", "recipes/README.md"]
DOCUMENTS += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))


def blocks(kind: str, text: str = README) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, flags=re.DOTALL)


def commands(text: str) -> list[str]:
    return [line[2:] for block in blocks("console", text) for line in block.splitlines() if line.startswith("$ ")]


def packages_of_the_readme() -> list[str]:
    """Return what the README says to install: packages by name, and heedful with its extras."""
    asked = [line.split("#")[0].split()[2:] for line in README.splitlines() if line.startswith("pip install ")]
    names = [shlex.split(word)[0].partition("==")[0] for words in asked for word in words]
    extras = [extra for name in names if name.startswith(".[") for extra in name[2:-1].split(",")]
    return [name for name in names if not name.startswith(".")] + requirements(*extras)


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """Return variables of a shell with only what the README installs, and go to an empty folder."""
    variables = fresh_venv(tmp_path / "venv", packages_of_the_readme())
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path / "home")
    for name, is_there in {"torch": True, "pandas": True, "sklearn": False, "pyarrow": False, "pytest": False}.items():
        done = subprocess.run(["python", "-c", f"import {name}"], env=variables, capture_output=True, text=True)
        assert (done.returncode == 0) is is_there, f"{name}: {done.stderr}"
    return variables


def type_in(words: list[str], variables: dict[str, str]) -> str:
    """Run a command and return what it prints."""
    done = subprocess.run(words, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, f"{shlex.join(words)}\n{done.stderr}"
    assert_no_complaint(done.stderr, shlex.join(words))
    return done.stdout


def assert_no_complaint(stderr: str, command: str) -> None:
    for complaint in ("no effect", "in the training data", "Warning"):
        assert complaint not in stderr, f"{command}\n{stderr}"


@pytest.mark.slow
def test_the_python_runs_with_only_what_the_readme_installs(fresh):
    files, *_ = commands(README)
    type_in(shlex.split(files), fresh)
    assert blocks("python") and blocks("python", PYTHON)
    for number, code in enumerate([*blocks("python"), *blocks("python", PYTHON)]):
        script = Path(f"typed_{number}.py")
        script.write_text(code, encoding="utf-8")
        printed = type_in(["python", str(script)], fresh)
        if number == 0:
            assert "removing each word" in printed, "the verdict of the audit"
            assert "# delivery; the words that add most: parcel, courier\n" in code
            assert re.match(r"delivery \[\('parcel', .*\('courier', ", printed.splitlines()[-1]), printed
    assert "removing each word" in Path("why.html").read_text(encoding="utf-8"), "an audited model says so"


@pytest.mark.slow
def test_the_commands_run_as_they_are_written(fresh, capsys):
    typed = commands(README)
    assert len(typed) == 6
    for command in typed:
        type_in(shlex.split(command), fresh)
    for command in commands(SHELL):  # these need extras
        words = shlex.split(command)
        assert words[0] == "heedful"
        assert main(words[1:]) == 0, command
        assert_no_complaint(capsys.readouterr().err, command)
    for name in ("audit.html", "labelled.csv", "page.html", "messages.index"):
        assert Path(name).exists()


def test_it_is_short():
    assert len(README.splitlines()) <= 120
    (code,) = blocks("python")
    assert len([line for line in code.splitlines() if line]) <= 10
    assert [len(block.splitlines()) for block in blocks("console")] == [1, 5]


def test_python_and_shell_do_not_write_to_the_same_folder():
    (code,) = blocks("python")
    folders = [*re.findall(r'heedful.train\(train, "(\w+)"', code), *re.findall(r"--out (\w+)", README)]
    assert len(folders) == 2 and len(set(folders)) == 2


def test_it_leads_to_the_cpu_build_of_torch_first():
    install = next(block for block in re.findall(r"```\n(.*?)```", README, flags=re.DOTALL) if "[train]" in block)
    pinned = re.search(r"^torch==(\S+)$", (ROOT / "constraints.txt").read_text(), flags=re.MULTILINE)
    assert pinned and f"pip install torch=={pinned[1]}" in install
    assert install.index("pip install torch==") < install.index('pip install ".[train]"')


def test_the_tables_are_those_of_the_result_files():
    sys.path.insert(0, str(ROOT))
    from benchmarks.readme import BLOCKS, README_BLOCKS, filled

    for names, page in ((BLOCKS, RESULTS), (README_BLOCKS, README)):
        for name in names:
            assert page.count(f"<!-- {name} -->") == 1, f"no place for {name}"
        assert set(re.findall(r"<!-- (\w+) -->", page)) == set(names), "a place without a result"
        assert filled(page) == page, "run: python -m benchmarks.readme"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document):
    text = (ROOT / document).read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", text):
        if not target.startswith("http"):
            page = (ROOT / document).parent / target if target else ROOT / document
            assert page.exists(), target
            assert not anchor or anchor in anchors(page), f"{target}#{anchor}"


def anchors(page: Path) -> list[str]:
    """Return the anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


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
