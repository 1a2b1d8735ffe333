"""facts.json: its keys stay, whatever the fields are called."""

import json

import pytest

from heedful.errors import ModelFolderError
from heedful.store.metadata import Facts

FACTS = Facts(("a", "b"), 4, 20, "9.9", metrics={"roc_auc": 0.75}, is_multilabel=True)


def test_the_keys_of_the_file_are_the_old_ones():
    tree = json.loads(FACTS.to_json())
    assert tree["figures"] == {"roc_auc": 0.75} and tree["many"] is True
    assert not {"metrics", "is_multilabel"} & set(tree)
    assert Facts.from_json(FACTS.to_json()) == FACTS


@pytest.mark.parametrize("key", ["metrics", "is_multilabel", "other"])
def test_an_unknown_key_is_refused(key):
    text = json.dumps(json.loads(FACTS.to_json()) | {key: {}})
    with pytest.raises(ModelFolderError, match=f"facts.json is not readable: KeyError: '{key}'"):
        Facts.from_json(text)


def test_old_names_work_with_a_warning():
    with pytest.warns(DeprecationWarning, match="use metrics"):
        assert FACTS.figures == FACTS.metrics
    with pytest.warns(DeprecationWarning, match="use is_multilabel"):
        assert FACTS.many
