"""Teachers, whose vectors a student learns to reproduce, and the cache of their vectors."""

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
SHARD = 8_192  # texts in a cache file: the most that an interrupt can lose
MARK = "modules.json"  # in a sentence-transformers folder


class Teacher(Protocol):
    """Anything that turns texts into vectors."""

    name: str
    fingerprint: str  # of its weights, so that the cache never mixes teachers

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return vectors (text, width)."""


class SentenceTransformerTeacher:
    """A model of the sentence-transformers library, from a folder: nothing is downloaded."""

    def __init__(self, folder: Path, name: str) -> None:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        library = need("sentence_transformers", feature="A sentence-transformers teacher", extra="distill")
        parts = need("transformers.utils", feature="A sentence-transformers teacher", extra="distill")
        parts.logging.disable_progress_bar()  # we show our own
        self.name = name
        self.fingerprint = _fingerprint(folder)
        try:
            self._model = library.SentenceTransformer(str(folder), device="cpu")
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RuntimeError, ImportError) as error:
            raise TrainingError(f"{folder} cannot be loaded by sentence-transformers: {reason(error)}") from None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the library's unit vectors; it sorts by length itself."""
        vectors = self._model.encode(
            list(texts), batch_size=32, normalize_embeddings=True, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(vectors, dtype=np.float32)


class HeedfulTeacher:
    """A heedful encoder."""

    def __init__(self, folder: Path, name: str) -> None:
        from heedful.runtime.model import load

        self.name, self.fingerprint = name, _fingerprint(folder)
        self._model = load(folder)
        if self._model.task.answer != "vector":
            raise TrainingError(f"{name} is a classifier; a teacher must be an encoder")

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors."""
        return np.asarray(self._model.embed(texts, normalize=True), dtype=np.float32)


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
        f"{name} is not a teacher: expected a sentence-transformers folder (with {MARK}), an installed Python package "
        "that holds one, a heedful encoder, or a .npy file of vectors"
    )


@dataclass(frozen=True)
class TeacherCache:
    """A teacher's vectors on disk, in shards of texts."""

    folder: Path

    def vectors(
        self, teacher: Teacher, texts: Sequence[str], *, progress: Callable[[int], None] = lambda _: None
    ) -> Vectors:
        """Return unit vectors (text, width) as float16, from the cache if they are in it."""
        with naming(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        parts: list[Vectors] = []
        for start, part in _shards(texts):
            parts.append(self._shard(teacher, part))
            progress(start + len(part))
        return np.concatenate(parts)

    def _shard(self, teacher: Teacher, texts: Sequence[str]) -> Vectors:
        file = self.folder / f"{shard_name(teacher.fingerprint, texts)}.npy"
        if file.is_file():
            with suppress(OSError, ValueError, EOFError):  # a damaged file is computed again
                cached: Vectors = np.load(file, allow_pickle=False)
                if cached.ndim == 2 and len(cached) == len(texts):
                    return cached
        computed = unit_rows(teacher.encode(texts)).astype(np.float16)
        with replacing(file) as partial, naming(file), partial.path.open("wb") as stream:
            np.save(stream, computed)
        return computed


def read_vectors(path: Path, n_texts: int) -> Vectors:
    """Read a .npy file of vectors, one for each text of the corpus."""
    try:
        stored = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise TrainingError(f"{path} cannot be read as a .npy file of numbers: {error}") from None
    if stored.ndim != 2 or stored.dtype.kind != "f":
        raise TrainingError(f"{path} holds {stored.dtype} of shape {stored.shape}, expected numbers (text, width)")
    if len(stored) != n_texts:
        raise TrainingError(f"{path} has {len(stored):,} vectors, but the corpus has {n_texts:,} texts")
    vectors = np.asarray(stored, dtype=np.float32)
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


def shard_name(fingerprint: str, texts: Sequence[str]) -> str:
    """Return the name of a file of what the teacher with this fingerprint says of some texts."""
    digest = hashlib.sha256(fingerprint.encode())
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(raw) + raw)  # the length makes the bytes unambiguous
    return digest.hexdigest()[:32]


def _in_package(name: str) -> Path | None:
    """Return the sentence-transformers folder inside an installed package, if any, without importing the package."""
    module = name.replace("-", "_")
    if not module.isidentifier():
        return None
    try:
        spec = importlib.util.find_spec(module)
    except ValueError:  # such as __main__, which has none
        return None
    homes = list(spec.submodule_search_locations or []) if spec is not None else []
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
