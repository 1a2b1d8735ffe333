"""Size and start of this checkout against another one: wheel, install, `import heedful`, `heedful --help`, a model.

    python -m benchmarks.footprint CHECKOUT     # results/footprint.json

Both are built, installed into folders of their own and started by turns. Times are CPU times, which other work on the
machine changes little, and medians, as are their ratios: above 1, this checkout is faster.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.embedding import say
from benchmarks.installed import ROOT, closure, installed_bytes, path_bytes
from benchmarks.result import write_result

SIDES = ("before", "now")
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in", "src")
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
TIMED = "import time; started = time.process_time(); {}; print(time.process_time() - started)"
PIECES = {
    "import": TIMED.format("import heedful"),
    "load": "import heedful, numpy, onnxruntime, tokenizers; " + TIMED.format("heedful.load('en-base')"),
}
NOTES = "own_mb: without the packages that running needs; install_mb: with them; times are CPU times of a new process"


def built(checkout: Path, folder: Path) -> Path:
    """Build the wheel of a checkout, from a copy of its sources, and return it."""
    source = folder / "source"
    source.mkdir(parents=True)
    for name in SOURCES:
        if (checkout / name).is_dir():
            shutil.copytree(checkout / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        elif (checkout / name).is_file():
            shutil.copy(checkout / name, source / name)
    command = [sys.executable, "-c", BUILD, str(folder)]
    done = subprocess.run(command, cwd=source, check=True, capture_output=True, text=True)
    return folder / done.stdout.splitlines()[-1]


def installed(wheel: Path, site: Path) -> Path:
    """Install a wheel without the packages it needs, and return its folder."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*pip, str(wheel)], check=True)
    return site


def seconds(site: Path, piece: str) -> float:
    """Return the CPU seconds of a piece of work in a new process."""
    env = {**os.environ, "PYTHONPATH": str(site)}
    if piece == "help":
        command = [sys.executable, str(site / "bin" / "heedful"), "--help"]
        earlier = _children()
        subprocess.run(command, check=True, capture_output=True, env=env, cwd=site)
        return _children() - earlier
    command = [sys.executable, "-c", PIECES[piece]]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env, cwd=site.parent)
    return float(done.stdout)


def _children() -> float:
    """Return the CPU seconds of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def times(sites: dict[str, Path], rounds: int) -> dict[str, dict[str, list[float]]]:
    """Return the seconds of each piece of work by side, one right after the other in each round."""
    rows: dict[str, dict[str, list[float]]] = {piece: {side: [] for side in SIDES} for piece in (*PIECES, "help")}
    for i in range(rounds + 1):  # the first round warms up
        for piece, row in rows.items():
            for side in SIDES if i % 2 else reversed(SIDES):
                used = seconds(sites[side], piece)
                if i:
                    row[side].append(used)
    return rows


def main() -> None:
    """Measure both and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="another checkout")
    parser.add_argument("--rounds", type=int, default=21)
    args = parser.parse_args()
    checkouts = dict(zip(SIDES, (args.before, ROOT), strict=True))
    needed = installed_bytes(tuple(closure(("heedful",)) - {"heedful"})) / 1e6
    with tempfile.TemporaryDirectory() as name:
        wheels = {side: built(checkouts[side], Path(name) / side) for side in SIDES}
        sites = {side: installed(wheels[side], Path(name) / side / "site") for side in SIDES}
        figures: dict[str, Any] = {
            side: {"wheel_mb": path_bytes(wheels[side]) / 1e6, "own_mb": path_bytes(sites[side]) / 1e6}
            for side in SIDES
        }
        rows = times(sites, args.rounds)
    for side in SIDES:
        figures[side]["install_mb"] = figures[side]["own_mb"] + needed
        figures[side] |= {f"{piece}_ms": 1000 * median(row[side]) for piece, row in rows.items()}
        say(f"{side}: {figures[side]}")
    figures["ratios"] = {
        piece: median(before / now for before, now in zip(row["before"], row["now"], strict=True))
        for piece, row in rows.items()
    }
    figures["seconds"] = rows
    write_result("footprint", figures, notes=NOTES)


if __name__ == "__main__":
    main()
