"""Models by name."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from heedful import load
from heedful.errors import ModelFolderError
from heedful.store import shipped
from heedful.store.shipped import model_path, shipped_models


@pytest.fixture
def home(tmp_path, monkeypatch, pretrained_folder):
    """A package that ships two models."""
    home = tmp_path / "package" / "shipped"
    for name in ("en-base", "en-small"):
        shutil.copytree(pretrained_folder, home / name)
    (home / "__pycache__").mkdir()
    (home / "__init__.py").write_text("")
    monkeypatch.setattr(shipped, "HOME", home)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return home


def test_only_models_have_names(home):
    assert shipped_models() == ("en-base", "en-small")


def test_a_package_without_models_has_no_names(tmp_path, monkeypatch):
    monkeypatch.setattr(shipped, "HOME", tmp_path / "nothing")
    assert shipped_models() == ()


def test_a_name_is_the_shipped_model(home, pretrained):
    assert model_path("en-base") == home / "en-base"
    text = "the parcel was great"
    np.testing.assert_array_equal(load("en-base", threads=1).embed(text), pretrained.embed(text))


def test_a_folder_of_that_name_wins(home, tmp_path):
    (tmp_path / "here" / "en-base").mkdir()
    assert model_path("en-base").absolute() == tmp_path / "here" / "en-base"
    with pytest.raises(ModelFolderError, match=r"en-base is not a model: it has no config\.toml"):
        load("en-base")


def test_an_unknown_name_says_which_there_are_and_which_was_meant(home):
    with pytest.raises(ModelFolderError, match=r"en-bse is not a folder.*\(en-base, en-small\)\. Did you mean en-base"):
        load("en-bse")
    with pytest.raises(ModelFolderError) as raised:
        load("zzz")
    assert "Did you mean" not in str(raised.value)


@pytest.mark.parametrize("path", ["./en-base", "deep/en-base", "/nowhere/en-base", "en-base/"])
def test_a_path_is_never_a_name(home, path):
    with pytest.raises(ModelFolderError, match="is not a folder"):
        load(path)
