"""index.json: the columns of an index, and the model that made its vectors."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from heedful.errors import HeedfulError
from heedful.files.atomic import write_text
from heedful.files.json_text import json_text
from heedful.runtime.model import Model
from heedful.store.contained_files import inside
from heedful.store.folder import GRAPH, SUBWORDS, VOCAB
from heedful.store.shipped import HOME

NAME = "index.json"
FORMAT = 2  # 1 has no words and no passages: it is searched by meaning
NOT_ONE = "is not an index. Create one with: heedful index FILE -o INDEX"


@dataclass(frozen=True)
class About:
    """The contents of index.json."""

    model: str  # the name of a shipped model, or the path of a folder
    fingerprint: str  # of the model's files
    width: int  # of a vector
    text: str  # name of the column with the text
    id: str | None = None  # name of the column with the id; None: `id` if there is one, else a hash of the row
    format: int = FORMAT

    @property
    def has_words(self) -> bool:
        """Whether the index can be searched by words."""
        return self.format >= 2

    def write(self, folder: Path) -> None:
        """Write the file atomically."""
        write_text(inside(folder, NAME), json_text(dataclasses.asdict(self), indent=2))


def read_about(folder: Path) -> About:
    """Read index.json, or raise if this is not an index."""
    if not folder.exists():
        raise HeedfulError(f"{folder} does not exist. Create an index with: heedful index FILE -o {folder}")
    if not (folder / NAME).is_file():
        raise HeedfulError(f"{folder} {NOT_ONE}")
    try:
        tree = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if isinstance(tree, dict) and isinstance(tree.get("format"), int) and tree["format"] > FORMAT:
            raise HeedfulError(
                f"{folder} has format {tree['format']}; this heedful reads format {FORMAT}. Update heedful"
            )
        about = About(**tree)
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise HeedfulError(f"{folder / NAME} is not readable: {type(error).__name__}: {error}") from None
    hints = {"model": str, "fingerprint": str, "width": int, "text": str, "id": (str, type(None)), "format": int}
    if not all(isinstance(getattr(about, name), kind) for name, kind in hints.items()):  # type: ignore[arg-type]
        raise HeedfulError(f"{folder / NAME} does not describe an index")
    return about


def model_name(model: Model) -> str:
    """Return a name by which `load` finds the model from any folder."""
    path = model.path.resolve()
    return path.name if path.parent == HOME.resolve() else str(path)


def fingerprint(model: Model) -> str:
    """Return a digest of everything that vectors depend on: the graph, the vocab and the text settings."""
    digest = hashlib.blake2b(digest_size=16)
    reading = model.config.text
    digest.update(json.dumps([reading.tokens, reading.lowercase, reading.max_tokens]).encode())
    for name in (GRAPH, VOCAB, SUBWORDS):
        if (file := model.path / name).is_file():
            with file.open("rb") as opened:
                digest.update(name.encode() + hashlib.file_digest(opened, "blake2b").digest())
    return digest.hexdigest()
