"""Old names work for one more version, with a warning."""

import inspect

import pytest

import heedful
from heedful.runtime.deprecated import renamed_keywords


@renamed_keywords(told="on_progress")
def work(n: int, *, on_progress=None):
    return n, on_progress


def test_a_renamed_keyword_works_and_warns():
    assert work(1, on_progress=2) == (1, 2)
    with pytest.warns(DeprecationWarning, match="told is deprecated and will be removed: use on_progress"):
        assert work(1, told=2) == (1, 2)
    with pytest.raises(TypeError, match="got both on_progress and told"):
        work(1, told=2, on_progress=2)


def test_audit_has_the_new_keywords_and_warns_of_the_old(tiny_model, tmp_path):
    assert {"on_progress", "on_note"} < set(inspect.signature(heedful.audit).parameters)
    for old in ("told", "note"):
        with pytest.warns(DeprecationWarning, match=f"{old} is deprecated"), pytest.raises(heedful.HeedfulError):
            heedful.audit(tiny_model, tmp_path / "none.csv", **{old: print})


def test_looks_is_self_attention():
    model = heedful.load("en-tiny", threads=1)
    with pytest.warns(DeprecationWarning, match="use model.self_attention"):
        old = model.looks("time flies")
    assert old.to_dict() == model.self_attention("time flies").to_dict()
