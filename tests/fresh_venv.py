"""A virtual environment with some of the packages that are installed here and no others, without a download."""

from __future__ import annotations

import os
import sysconfig
import tomllib
import venv
from importlib.metadata import distribution
from pathlib import Path

from benchmarks.installed import closure
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
COMMAND = "#!{python}\nimport sys\nfrom heedful.cli.main import run\nsys.exit(run())\n"


def requirements(*extras: str) -> list[str]:
    """Return the packages that `pip install ".[EXTRAS]"` asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    return [Requirement(line).name for line in asked]


def fresh_venv(folder: Path, packages: list[str]) -> dict[str, str]:
    """Make the environment, with heedful in it, and return the variables of a shell in which it is active."""
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    site = Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder), "platbase": str(folder)}))
    for name in closure(tuple(packages)):
        _link(name, site)
    _link("heedful", site, only=".dist-info")  # its version; the code is that of this checkout
    (site / "heedful.pth").write_text(f"{ROOT / 'src'}\n", encoding="utf-8")
    command = folder / "bin" / "heedful"
    command.write_text(COMMAND.format(python=python), encoding="utf-8")
    command.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return kept | {"PATH": f"{folder / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin", "VIRTUAL_ENV": str(folder)}


def _link(package: str, site: Path, *, only: str = "") -> None:
    """Link the files and folders of an installed package, or those with a name that ends so."""
    files = distribution(package).files or []
    for top in {file.parts[0] for file in files if file.parts[0].endswith(only)} - {"..", "__pycache__"}:
        target = Path(str(distribution(package).locate_file(top)))
        if target.exists() and not (site / top).exists():
            (site / top).symlink_to(target)
