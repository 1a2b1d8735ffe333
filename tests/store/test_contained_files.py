"""A folder from a stranger may hold links: nothing is read or written through one that leads out."""

from __future__ import annotations

import pytest

from heedful.engines.model_files import read_files
from heedful.errors import ModelFolderError
from heedful.explain.hops.statistics import hop_atlas
from heedful.jobs.train.write_hops import keep_atlas
from heedful.runtime.model import load
from heedful.store.contained_files import inside, write_file
from heedful.store.results.audit_file import audited_texts, write_audit


@pytest.fixture
def elsewhere(tmp_path):
    file = tmp_path / "elsewhere.json"
    file.write_text('{"n_texts": 3}', encoding="utf-8")
    return file


@pytest.mark.parametrize("name", ["audit.json", "hops.json", "README.md"])
def test_nothing_is_written_through_a_link(tiny_copy, elsewhere, name):
    (tiny_copy / name).unlink(missing_ok=True)
    (tiny_copy / name).symlink_to(elsewhere)
    with pytest.raises(ModelFolderError, match=f"{name} leads out of its folder"):
        write_file(tiny_copy, name, "{}")
    assert elsewhere.read_text(encoding="utf-8") == '{"n_texts": 3}'


def test_audits_and_atlases_stay_in_the_folder(tiny_copy, elsewhere):
    model = load(tiny_copy, threads=1)
    for name in ("audit.json", "hops.json"):
        (tiny_copy / name).unlink(missing_ok=True)
        (tiny_copy / name).symlink_to(elsewhere)
    with pytest.raises(ModelFolderError, match="leads out"):
        write_audit(tiny_copy, {}, model.fingerprint)
    with pytest.raises(ModelFolderError, match="leads out"):
        keep_atlas(model, hop_atlas(model, ["the parcel was great"] * 4))
    assert audited_texts(tiny_copy) == 0
    assert elsewhere.read_text(encoding="utf-8") == '{"n_texts": 3}'


def test_a_link_to_a_file_that_does_not_exist_leads_out_too(tiny_copy, tmp_path):
    (tiny_copy / "audit.json").symlink_to(tmp_path / "new.json")
    with pytest.raises(ModelFolderError, match="leads out"):
        inside(tiny_copy, "audit.json")


def test_workers_of_an_engine_get_no_file_from_elsewhere(tiny_copy, elsewhere):
    (tiny_copy / "notes.json").symlink_to(elsewhere)
    with pytest.raises(ModelFolderError, match="leads out"):
        read_files(tiny_copy)


def test_a_link_within_the_folder_is_followed(tiny_copy):
    (tiny_copy / "vocab.json").rename(tiny_copy / "words.json")
    (tiny_copy / "vocab.json").symlink_to("words.json")
    assert load(tiny_copy, threads=1).predict("great")
