"""Teachers: what gives the vectors that a student learns to give, and where these vectors are kept."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from heedful.errors import HeedfulError, TrainingError, need, reason
from heedful.files.atomic import naming, replacing

Vectors = NDArray[np.float16]
SHARD = 8_192  # texts in a file of the cache: what a kill can lose
MARK = "modules.json"  # in a sentence-transformers folder


class Teacher(Protocol):
    """Anything that turns texts into vectors."""

    name: str
    fingerprint: str  # of its weights: another teacher's vectors are never taken for this one's

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors (text, width)."""


class SentenceTransformerTeacher:
    """A model of the sentence-transformers library, from a folder: nothing is downloaded."""

    def __init__(self, folder: Path, name: str) -> None:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        library = need("sentence_transformers", feature="A sentence-transformers teacher", extra="distill")
        parts = need("transformers.utils", feature="A sentence-transformers teacher", extra="distill")
        parts.logging.disable_progress_bar()  # ours is the one that is shown
        self.name = name
        self.fingerprint = _fingerprint(folder)
        try:
            self._model = library.SentenceTransformer(str(folder), device="cpu")
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RuntimeError, ImportError) as error:
            raise TrainingError(f"{folder} cannot be loaded by sentence-transformers: {reason(error)}") from None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the library's vectors, of length 1; it sorts by length itself."""
        found = self._model.encode(
            list(texts), batch_size=32, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(found, dtype=np.float32)


class HeedfulTeacher:
    """An encoder of our own."""

    def __init__(self, folder: Path, name: str) -> None:
        from heedful.runtime.model import load

        self.name, self.fingerprint = name, _fingerprint(folder)
        self._model = load(folder)
        if self._model.task.answer != "vector":
            raise TrainingError(f"{name} is a classifier; a teacher gives vectors")

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors of length 1."""
        return np.asarray(self._model.embed(texts, normalise=True), dtype=np.float32)


def open_teacher(name: str) -> Teacher:
    """Find a teacher: a sentence-transformers folder, an installed package that holds one, or a heedful encoder."""
    from heedful.store.folder import is_model_folder
    from heedful.store.shipped import HOME, shipped_models

    path = Path(name)
    if (path / MARK).is_file():
        return SentenceTransformerTeacher(path, path.name)
    if is_model_folder(path):
        return HeedfulTeacher(path, path.name)
    if name in shipped_models():
        return HeedfulTeacher(HOME / name, name)
    if (folder := _in_package(name)) is not None:
        return SentenceTransformerTeacher(folder, name)
    raise HeedfulError(
        f"{name} is no teacher: expected a sentence-transformers folder (with {MARK}), an installed Python package "
        "that holds one, a heedful encoder, or a .npy file of vectors"
    )


@dataclass(frozen=True)
class TeacherCache:
    """Vectors of a teacher on disk, by shards of texts, so that work done once is never done again."""

    folder: Path

    def vectors(
        self, teacher: Teacher, texts: Sequence[str], *, progress: Callable[[int], None] = lambda _: None
    ) -> Vectors:
        """Return vectors (text, width) of length 1 as float16, from the cache as far as they are there."""
        with naming(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        parts: list[Vectors] = []
        for start, part in _shards(texts):
            parts.append(self._shard(teacher, part))
            progress(start + len(part))
        return np.concatenate(parts)

    def _shard(self, teacher: Teacher, texts: Sequence[str]) -> Vectors:
        file = self.folder / f"{_name_of(teacher, texts)}.npy"
        if file.is_file():
            with suppress(OSError, ValueError, EOFError):  # a file that was cut or changed is made again
                found: Vectors = np.load(file, allow_pickle=False)
                if found.ndim == 2 and len(found) == len(texts):
                    return found
        made = unit_rows(teacher.encode(texts)).astype(np.float16)
        with replacing(file) as partial, naming(file), partial.path.open("wb") as stream:
            np.save(stream, made)
        return made


def read_vectors(path: Path, n_texts: int) -> Vectors:
    """Read a .npy file of vectors, one for each text of the corpus."""
    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise TrainingError(f"{path} cannot be read as a .npy file of numbers: {error}") from None
    if found.ndim != 2 or found.dtype.kind != "f":
        raise TrainingError(f"{path} holds {found.dtype} of shape {found.shape}, expected numbers (text, width)")
    if len(found) != n_texts:
        raise TrainingError(f"{path} has {len(found):,} vectors, but the corpus has {n_texts:,} texts")
    vectors = np.asarray(found, dtype=np.float32)
    if not np.isfinite(vectors).all():
        raise TrainingError(f"{path} has numbers that are not finite, the first in row {_first_odd(vectors) + 1:,}")
    return unit_rows(vectors).astype(np.float16)


def _first_odd(vectors: NDArray[np.float32]) -> int:
    return int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])


def unit_rows(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale each vector to length 1; a zero vector stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def _shards(texts: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    for start in range(0, len(texts), SHARD):
        yield start, texts[start : start + SHARD]


def _name_of(teacher: Teacher, texts: Sequence[str]) -> str:
    digest = hashlib.sha256(teacher.fingerprint.encode())
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(raw) + raw)  # with its length: no two lists of texts give the same bytes
    return digest.hexdigest()[:32]


def _in_package(name: str) -> Path | None:
    """Return the sentence-transformers folder inside an installed package, if there is one; the package is not run."""
    module = name.replace("-", "_")
    if not module.isidentifier():
        return None
    try:
        found = importlib.util.find_spec(module)
    except ValueError:  # such as __main__, which has none
        return None
    homes = list(found.submodule_search_locations or []) if found is not None else []
    marks = [mark for home in homes for mark in sorted(Path(home).rglob(MARK))]
    return marks[0].parent if marks else None


def _fingerprint(folder: Path) -> str:
    """Hash the files that hold numbers or settings."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix in (".safetensors", ".bin", ".json", ".onnx", ".toml"):
            digest.update(file.relative_to(folder).as_posix().encode())
            with file.open("rb") as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
    return digest.hexdigest()[:16]
