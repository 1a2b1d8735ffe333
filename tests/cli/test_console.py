"""What goes to a terminal and what goes to a file."""

from __future__ import annotations

import json
import os
import subprocess
import sys

TEXT = "the parcel was great and lovely"
COLOUR = "\x1b["


def heedful(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "heedful", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env={**os.environ, **environment},
    )


def test_the_suite_runs_without_the_colours_of_the_shell_around_it():
    assert "FORCE_COLOR" not in os.environ


def test_forced_colours_are_for_people_and_never_in_json(tiny_folder, tmp_path, examples, write_csv):
    texts = write_csv(tmp_path / "texts.csv", examples(30, seed=5))
    shown = heedful("explain", tiny_folder, TEXT, FORCE_COLOR="1")
    assert shown.returncode == 0 and COLOUR in shown.stdout  # asked for, so a pager such as `less -R` has them
    printed = heedful("explain", tiny_folder, texts, "--json", FORCE_COLOR="1")
    assert printed.returncode == 0
    assert len([json.loads(line) for line in printed.stdout.splitlines()]) == 30


def test_forced_colours_put_no_moving_bars_into_a_log(tiny_folder, tmp_path, examples, write_csv):
    texts = write_csv(tmp_path / "texts.csv", examples(30, seed=5))
    done = heedful("predict", tiny_folder, texts, "-o", tmp_path / "out.csv", FORCE_COLOR="1")
    assert done.returncode == 0
    assert "30 rows" in done.stderr
    assert COLOUR not in done.stderr
    assert COLOUR not in (tmp_path / "out.csv").read_text(encoding="utf-8")
