"""ngrams.safetensors of untrusted folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from heedful.errors import ModelFolderError
from heedful.runtime.model import load
from heedful.store.ngram_hashes import hashes_file, hashes_from

HASHES = np.array([3, 8, 2**63 + 5], dtype=np.uint64)


def test_hashes_are_read_as_they_were_written():
    assert np.array_equal(hashes_from(hashes_file(HASHES), Path("ngrams.safetensors")), HASHES)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (hashes_file(HASHES[::-1]), "not in order"),
        (hashes_file(HASHES[[0, 0, 1]]), "not in order"),
        (hashes_file(HASHES.reshape(1, 3)), "no list of hashes"),
        (hashes_file(HASHES.astype(np.int64)), "no list of hashes"),
        (b"xx", "cannot be read"),
    ],
)
def test_damaged_files_are_refused(content, reason):
    with pytest.raises(ModelFolderError, match=reason):
        hashes_from(content, Path("ngrams.safetensors"))


def test_n_grams_that_the_graph_does_not_have_are_refused(wide_folder, tmp_path, reseal):
    folder = Path(shutil.copytree(wide_folder, tmp_path / "crafted"))
    (folder / "ngrams.safetensors").write_bytes(hashes_file(np.arange(1_000_000, dtype=np.uint64)))
    reseal(folder)
    with pytest.raises(ModelFolderError, match="does not fit"):
        load(folder)


def test_a_folder_without_its_n_grams_is_refused(wide_folder, tmp_path):
    folder = Path(shutil.copytree(wide_folder, tmp_path / "damaged"))
    (folder / "ngrams.safetensors").unlink()
    with pytest.raises(ModelFolderError, match=r"no ngrams\.safetensors"):
        load(folder)
