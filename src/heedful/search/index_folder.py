"""The folder of a search index, made atomically."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from heedful.errors import HeedfulError
from heedful.files.atomic import naming
from heedful.files.lock import exclusive_lock
from heedful.search.about import NAME, About
from heedful.store.folder import NEW, clean_up, move_into_place


def check_utf8(path: Path) -> None:
    """Raise for a path that LanceDB does not support."""
    try:
        str(path.absolute()).encode()
    except UnicodeEncodeError:
        raise HeedfulError(f"{path}: the path of an index must be UTF-8. Choose another path") from None


def check_target(path: Path, *, overwrite: bool = False) -> None:
    """Raise if an index cannot be created at this path."""
    is_free = not path.exists() or (path.is_dir() and not any(path.iterdir()))
    if not is_free and not (path / NAME).is_file():
        raise HeedfulError(f"{path} exists and is not an index: it will not be overwritten")
    if not is_free and not overwrite:
        raise HeedfulError(f"{path} already exists. Add to it, or set overwrite to replace it")


def make_folder(path: Path, about: About) -> None:
    """Create the folder atomically: it is written beside its path and moved."""
    with exclusive_lock(path), naming(path):
        clean_up(path.absolute())
        if path.exists():
            with exclusive_lock(path, inside=True):  # raises if another process writes to the existing index
                pass
        fresh = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=NEW, dir=path.parent))
        try:
            about.write(fresh)
            fresh.chmod(0o755)
            move_into_place(fresh, path)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
