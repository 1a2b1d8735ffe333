"""Every example runs as it stands, and says something."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
INPUTS_AND_TASKS = {"graph", "molecules", "pairs", "sound", "tags", "translate", "vectors"}


def test_every_input_and_task_has_an_example():
    assert {path.stem for path in EXAMPLES} >= INPUTS_AND_TASKS


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path, tmp_path):
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(path), str(tmp_path / "picture.png")]
    done = subprocess.run(command, cwd=tmp_path, env=one_thread, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip()
    assert (tmp_path / "picture.png").stat().st_size > 5_000


def test_every_picture_of_the_docs_is_there_and_shown():
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    said = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    for image in (ROOT / "docs" / "images").glob("*.png"):
        assert f"images/{image.name}" in said, f"no page shows {image.name}"
