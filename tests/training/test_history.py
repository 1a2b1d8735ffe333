"""Records of epochs, in history.jsonl and in checkpoints."""

import pytest

from heedful.training.history import EpochRecord

RECORD = EpochRecord(
    epoch=2,
    loss=0.5,
    penalty=0.0,
    valid_loss=0.6,
    metrics={"accuracy": 0.75},
    lr=1e-3,
    seconds=1.0,
    texts_per_second=100.0,
    padding=0.1,
    is_best=True,
    is_kept=True,
)


def test_metrics_stand_beside_the_other_values_in_the_history():
    tree = RECORD.to_dict()
    assert tree["accuracy"] == 0.75 and not {"metrics", "figures"} & set(tree)


def test_a_checkpoint_has_the_old_key():
    tree = RECORD.to_checkpoint()
    assert tree["figures"] == {"accuracy": 0.75} and "metrics" not in tree
    assert EpochRecord.from_checkpoint(tree) == RECORD


def test_the_old_name_works_with_a_warning():
    with pytest.warns(DeprecationWarning, match="use metrics"):
        assert RECORD.figures == RECORD.metrics
