"""The wheel and the sdist: built here, installed into an empty folder, and used from there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

import heedful
from heedful.store.shipped import HOME, shipped_models

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
SOURCES = (
    "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "ARCHITECTURE.md", "CHANGELOG.md", "CITATION.cff",
    "CONTRIBUTING.md", "SECURITY.md", "src", "tests", "benchmarks",
)  # fmt: skip
BUILD = """
import sys
from setuptools import build_meta
print(getattr(build_meta, "build_" + sys.argv[1])(sys.argv[2]))
"""
MOST_WHEEL_BYTES = 24_000_000


@dataclass(frozen=True)
class Built:
    """The files that were built, and the folder that the wheel was installed into."""

    sdist: Path
    wheel: Path
    wheel_of_sdist: Path
    site: Path


def build(kind: str, source: Path, out: Path) -> Path:
    """Build an sdist or a wheel with what is installed here."""
    out.mkdir()
    done = run([sys.executable, "-c", BUILD, kind, str(out)], cwd=source)
    return out / done.stdout.splitlines()[-1]


def run(command: list[str], *, cwd: Path, site: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command that must work, with the packages of `site` first."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if site is not None:
        env["PYTHONPATH"] = str(site)
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Built:
    folder = tmp_path_factory.mktemp("built")
    source = folder / "source"
    source.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copy(ROOT / name, source / name)
    sdist = build("sdist", source, folder / "sdist")
    wheel = build("wheel", source, folder / "wheel")
    with tarfile.open(sdist) as archive:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # from Python 3.11.4
        archive.extractall(folder / "unpacked", **safely)
    (unpacked,) = (folder / "unpacked").iterdir()
    again = build("wheel", unpacked, folder / "wheel-of-sdist")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    run([*install, "--target", str(folder / "site"), str(wheel)], cwd=folder)
    return Built(sdist, wheel, again, folder / "site")


def content(wheel: Path) -> dict[str, bytes]:
    """Return the files of a wheel by name."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_names_have_the_version(built):
    assert built.sdist.name == f"heedful-{heedful.__version__}.tar.gz"
    assert built.wheel.name == f"heedful-{heedful.__version__}-py3-none-any.whl"


def test_the_wheel_has_every_file_of_the_package_and_no_other(built):
    here = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src" / "heedful").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    names = {name for name in content(built.wheel) if not name.startswith(f"heedful-{heedful.__version__}.dist-info/")}
    assert names == here
    assert {"heedful/py.typed", "heedful/serve/ui/index.html"} <= names
    assert {f"heedful/shipped/{model}/model.onnx" for model in shipped_models()} <= names


def test_the_sdist_has_no_tests_and_gives_the_same_wheel(built):
    with tarfile.open(built.sdist) as archive:
        tops = {Path(name).parts[1] for name in archive.getnames() if len(Path(name).parts) > 1}
    assert {"pyproject.toml", "LICENSE", "CITATION.cff", "SECURITY.md", "src"} <= tops
    assert not tops & {"tests", "benchmarks"}
    assert content(built.wheel_of_sdist) == content(built.wheel)


def test_the_wheel_names_its_licence_and_needs_only_what_running_needs(built):
    meta = content(built.wheel)[f"heedful-{heedful.__version__}.dist-info/METADATA"].decode()
    head = meta.split("\n\n")[0]
    needed = set(re.findall(r"^Requires-Dist: (\w+)>=[\d.]+$", head, re.MULTILINE))  # a line of an extra has more
    assert needed == {"numpy", "onnxruntime", "tokenizers", "rich", "safetensors", "Jinja2", "budoux"}
    assert "License-Expression: Apache-2.0" in head


def test_the_wheel_is_no_larger_than_it_may_be(built):
    assert built.wheel.stat().st_size <= MOST_WHEEL_BYTES


def test_the_installed_command_prints_its_version(built, tmp_path):
    command = [sys.executable, str(built.site / "bin" / "heedful"), "--version"]
    assert run(command, cwd=tmp_path, site=built.site).stdout == f"heedful {heedful.__version__}\n"


def test_the_installed_package_is_the_one_that_runs_and_is_typed(built, tmp_path):
    code = "import heedful, importlib.metadata as m; print(heedful.__file__); print(m.version('heedful'))"
    lines = run([sys.executable, "-c", code], cwd=tmp_path, site=built.site).stdout.splitlines()
    assert lines == [str(built.site / "heedful" / "__init__.py"), heedful.__version__]
    assert (built.site / "heedful" / "py.typed").is_file()


@pytest.mark.parametrize("model", shipped_models())
def test_bundled_models_run_from_the_wheel(built, tmp_path, model):
    command = [sys.executable, str(built.site / "bin" / "heedful"), "embed", model, "my parcel never arrived"]
    row = json.loads(run(command, cwd=tmp_path, site=built.site).stdout)
    expected = heedful.load(HOME / model).embed("my parcel never arrived")
    assert row["vector"] == pytest.approx([float(number) for number in expected], abs=1e-5)
