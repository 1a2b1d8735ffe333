"""The files around the code: workflows, templates, citation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
YAML = [*sorted(GITHUB.rglob("*.yml")), ROOT / "CITATION.cff"]
PAGES = [ROOT / "SECURITY.md", ROOT / "CODE_OF_CONDUCT.md", GITHUB / "PULL_REQUEST_TEMPLATE.md"]


def parsed(path: Path) -> dict:
    value = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def commands(job: dict) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("path", [*YAML, *PAGES], ids=lambda path: path.name)
def test_a_file_parses_and_names_no_registry_host(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"pypi\.org|pythonhosted|registry\.", text)
    if path in YAML:
        parsed(path)


def test_ci_runs_make_test_on_every_python_that_is_declared():
    linux = parsed(GITHUB / "workflows" / "test.yml")["jobs"]["linux"]
    assert "make test" in commands(linux)
    declared = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert linux["strategy"]["matrix"]["python"] == declared == ["3.11", "3.12", "3.13"]


def test_every_make_target_of_the_workflows_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for path in (GITHUB / "workflows").iterdir():
        for job in parsed(path)["jobs"].values():
            for target in re.findall(r"make ([\w-]+)", "\n".join(commands(job))):
                assert f"\n{target}:" in makefile


def test_a_release_is_tested_checked_and_published_without_a_password():
    jobs = parsed(GITHUB / "workflows" / "release.yml")["jobs"]
    assert {"make test", "python -m build", "python -m twine check --strict dist/*"} <= set(commands(jobs["build"]))
    assert jobs["publish"]["needs"] == "build" and jobs["publish"]["permissions"] == {"id-token": "write"}
    assert any("--trusted-publishing always" in command for command in commands(jobs["publish"]))
    assert "secrets." not in (GITHUB / "workflows" / "release.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.name)
def test_an_issue_form_is_complete(path):
    form = parsed(path)
    assert form["name"] and form["description"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert all(field["attributes"]["label"] for field in fields)
    assert len({field["id"] for field in fields}) == len(fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_the_citation_has_the_software_and_the_paper():
    citation = parsed(ROOT / "CITATION.cff")
    assert citation["cff-version"] == "1.2.0" and citation["license"] == "Apache-2.0" and citation["authors"]
    (paper,) = citation["references"]
    assert paper["title"] == "A Structured Self-attentive Sentence Embedding" and paper["year"] == 2017
    assert len(paper["authors"]) == 7


@pytest.mark.parametrize("page", [path for path in PAGES if path.parent == ROOT], ids=lambda path: path.name)
def test_links_of_a_page_lead_to_files(page):
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (ROOT / target).exists()
