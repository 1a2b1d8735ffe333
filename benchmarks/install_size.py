"""How much disk the run-time install takes, in an empty venv, and that it predicts and explains without torch.

python -m benchmarks.install_size
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.result import write_result
from heedful.config import Config
from heedful.data.samples.customer_messages import messages_path
from heedful.jobs.train.train import train_model

ROOT = Path(__file__).parents[1]


def size_mb(folder: Path) -> float:
    """Return the size of all files below a folder."""
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file() and not f.is_symlink()) / 1e6


def fresh_venv(folder: Path, *packages: str) -> Path:
    """Make a venv with these packages and return it."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    if packages:
        pip = [str(folder / "bin" / "pip"), "install", "--quiet", "-c", str(ROOT / "constraints.txt"), *packages]
        subprocess.run(pip, check=True)
    return folder


def use(venv: Path, model: Path) -> None:
    """Predict and explain with the venv's own command."""
    assert not list(venv.rglob("torch/__init__.py")), "torch is in the run-time install"
    for command in ("predict", "explain"):
        done = subprocess.run(
            [str(venv / "bin" / "heedful"), command, str(model), "my parcel never arrived"],
            check=True,
            capture_output=True,
            text=True,
        )
        print(done.stdout)


def main() -> None:
    """Measure and write the result."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config = Config().changed(train=str(messages_path("train")), label="topic", units=32, epochs=2)
        train_model(config, folder / "model")
        empty = size_mb(fresh_venv(folder / "empty"))
        run = fresh_venv(folder / "run", str(ROOT))
        use(run, folder / "model")
        run_mb = size_mb(run)
        train_mb = size_mb(fresh_venv(folder / "train", "torch==2.13.0", f"{ROOT}[train]"))
    figures = {"run_mb": run_mb, "own_mb": run_mb - empty, "train_mb": train_mb}
    print(figures)
    write_result("install_size", figures, notes="torch's CPU build")


if __name__ == "__main__":
    main()
