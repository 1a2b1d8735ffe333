"""The files of the page: all are in the package, and each can be read by what reads it."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from heedful.serve.routes.static import page_files

UI = Path(str(files("heedful.serve"))) / "ui"
NAMES = sorted(path.relative_to(UI).as_posix() for path in UI.rglob("*") if path.is_file())
SCRIPTS = [name for name in NAMES if name.endswith(".js")]
TABS = ["read", "compare", "steps", "search", "model"]  # which app.js imports by name
IMPORT = re.compile(r'(?:from|import)\s*\(?\s*["\'`](\.[\w./]+)["\'`]')
RUNS = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "@font-face")
PARSE = """
const files = process.argv.slice(1);
for (const file of files) {
  new (require("node:vm").SourceTextModule)(require("node:fs").readFileSync(file, "utf8"), {identifier: file});
}
console.log(files.length);
"""  # all at once: `node --check` takes one


def source(name):
    return (UI / name).read_text(encoding="utf-8")


def test_what_the_page_and_its_modules_ask_for_is_there():
    wanted = set(re.findall(r'(?:href|src)="ui/([^"]+)"', source("index.html")))
    assert {"app.js", "base.css"} <= wanted
    wanted |= {f"tabs/{tab}/tab.js" for tab in TABS}
    seen = set()
    while wanted - seen:
        name = (wanted - seen).pop()
        seen.add(name)
        assert name in NAMES, name
        if name.endswith(".js"):
            wanted |= {
                posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
                for path in IMPORT.findall(source(name))
            }
    assert seen == set(NAMES) - {"index.html"}, "every file is used"


def test_the_package_takes_every_file_along():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["heedful"]
    root = Path(str(files("heedful")))
    paths = {path for pattern in patterns for path in root.glob(pattern) if path.is_file() and UI in path.parents}
    assert {path.relative_to(UI).as_posix() for path in paths} == set(NAMES)


def test_the_server_has_every_file_by_its_path_and_no_other():
    assert sorted(page_files()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_nothing_comes_from_another_host_and_nothing_is_run_from_a_text(name):
    text = source(name).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"(?:src|href|url|import|fetch)\s*[=(]\s*[\"'`]?(?:https?:)?//", text)
    assert [word for word in RUNS if word in text] == []
    if name == "index.html":
        assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?![^>]*\ssrc=)", text)


def test_every_script_can_be_parsed():
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    command = [node, "--experimental-vm-modules", "-e", PARSE, *(str(UI / name) for name in SCRIPTS)]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stderr
    assert found.stdout.split() == [str(len(SCRIPTS))]
