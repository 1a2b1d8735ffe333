"""The snippet of the docs runs as it stands."""

import re
import shutil
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "tasks.md"


def test_the_python_of_the_section_runs(tiny_folder, tmp_path, monkeypatch, write_csv, examples, capsys):
    section = PAGE.read_text(encoding="utf-8").split("## What drives each label\n")[1].split("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, flags=re.DOTALL)
    shutil.copytree(tiny_folder, tmp_path / "model")
    write_csv(tmp_path / "test.csv", examples(60, seed=3))
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "docs/tasks.md", "exec"), {})
    assert {"good", "bad"} <= set(capsys.readouterr().out.split())
