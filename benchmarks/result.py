"""A result file: what was run, on what, and what came out."""

from __future__ import annotations

import json
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from heedful import __version__

RESULTS = Path(__file__).parent / "results"
DATA = Path(__file__).parents[2] / "shared" / "data"
PACKAGES = ("heedful", "torch", "onnxruntime", "numpy", "scikit-learn", "fasttext-wheel")


def write_result(name: str, figures: Any, *, seeds: list[int] | None = None, notes: str = "") -> Path:
    """Write `results/NAME.json`."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    value = {
        "name": name,
        "command": " ".join(["python", "-m", f"benchmarks.{name}", *sys.argv[1:]]),
        "machine": machine(),
        "versions": versions(),
        "seeds": seeds or [],
        "notes": notes,
        "figures": figures,
    }
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def read_result(name: str) -> Any:
    """Return the figures of a result, None where there is none."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))["figures"] if path.exists() else None


def machine() -> dict[str, Any]:
    """Say what machine this is."""
    model = next(
        (
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        )
        if Path("/proc/cpuinfo").exists()
        else iter(()),
        platform.processor(),
    )
    return {"cpu": model, "cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}


def versions() -> dict[str, str]:
    """Return the versions of what is measured."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = __version__ if name == "heedful" else version(name)  # installed in place, its own may be old
        except PackageNotFoundError:
            continue
    return found
