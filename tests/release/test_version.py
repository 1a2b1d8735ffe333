"""One version, in one place."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import heedful
from heedful.cli.main import main
from heedful.store.folder import read_folder
from heedful.store.shipped import model_path, shipped_models

ROOT = Path(__file__).parents[2]


def test_the_command_line_prints_the_version_of_the_package(capsys):
    for flag in ("--version", "-V"):
        assert main([flag]) == 0
        assert capsys.readouterr().out == f"heedful {heedful.__version__}\n"


def test_pyproject_reads_the_version_from_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in project["project"] and project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "heedful.__version__"}


def test_the_changelog_and_the_citation_name_this_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = [line for line in changelog.splitlines() if line.startswith("## [") and line != "## [Unreleased]"]
    assert released[0].startswith(f"## [{heedful.__version__}] - ")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {heedful.__version__}\n" in citation


def test_the_version_does_not_need_the_metadata_of_the_package():
    code = "import sys, heedful; assert heedful.__version__; print('importlib.metadata' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False, cwd=ROOT / "src"
    )
    assert done.stdout == "False\n", done.stderr


@pytest.mark.parametrize("name", shipped_models())
def test_models_of_an_older_version_load_and_keep_its_number(name):
    stored = read_folder(model_path(name))
    assert stored.facts.heedful == "0.1.0" != heedful.__version__
