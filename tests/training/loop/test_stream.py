"""Texts that are read again in every epoch: each once, in an order that the seed makes, and never all at once."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.conftest import make_examples

import heedful.data.files.blocks as blocks_module
from heedful.config import Config
from heedful.data.files.blocks import blocks_of, rows_in
from heedful.data.read import read_rows
from heedful.errors import ConfigError, DataError
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load
from heedful.training.loop.stream import StreamGoal, read_streamed
from heedful.training.setup import prepare

SMALL = {
    "stream": True, "shuffle_rows": 40, "start": "none", "encoder": "static", "embed_width": 12, "n_hops": 3,
    "attention_width": 8, "batch_size": 8, "epochs": 3, "lr": 0.02, "threads": 1,
}  # fmt: skip


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch):
    monkeypatch.setattr("heedful.data.files.blocks.LINES", 16)
    monkeypatch.setattr("heedful.data.files.blocks.ROWS", 20)
    monkeypatch.setattr("heedful.data.files.blocks.SLICE", 9)


def rows(n: int = 203) -> list[dict[str, str]]:
    return [{"text": example.text, "label": example.label} for example in make_examples(n)]


@pytest.fixture
def lines(tmp_path):
    file = tmp_path / "texts.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    return file


@pytest.fixture
def groups(tmp_path):
    file = tmp_path / "texts.parquet"
    pq.write_table(pa.Table.from_pylist(rows()), file, row_group_size=30)
    return file


@pytest.fixture
def one_group(tmp_path):
    """A parquet file as most programs write it: all rows in one row group."""
    file = tmp_path / "whole.parquet"
    pq.write_table(pa.Table.from_pylist(rows()), file)
    assert pq.ParquetFile(file).metadata.num_row_groups == 1
    return file


def streamed(file, **settings) -> tuple[StreamGoal, Config]:
    config = Config().with_given(train=str(file), **{**SMALL, **settings})
    prepared = prepare(config, read_streamed(config))
    assert isinstance(prepared.goal, StreamGoal)
    return prepared.goal, prepared.config


def texts_of(goal, config, epoch=0, start=0):
    """Return the ids of the texts of each step."""
    steps = goal.steps(config.train, epoch, start)
    return [[tuple(inner.train[i].tolist()) for i in positions] for inner, positions in steps]


@pytest.mark.parametrize("kind", ["lines", "groups", "one_group"])
def test_blocks_hold_the_rows_of_the_file(kind, request):
    file = request.getfixturevalue(kind)
    blocks = blocks_of(file)
    assert len(blocks) > 5
    assert list(rows_in(blocks)) == list(read_rows(file))
    assert [row for block in blocks for row in rows_in([block])] == list(read_rows(file))


@pytest.mark.parametrize("kind", ["lines", "groups", "one_group"])
def test_every_text_is_learned_from_once_in_an_epoch_or_kept_for_checking(kind, request):
    goal, config = streamed(request.getfixturevalue(kind))
    seen = [text for step in texts_of(goal, config) for text in step]
    assert len(seen) == goal.n_examples == 203 - len(goal.valid)
    assert 8 <= len(goal.valid) <= 35
    known = [goal._featuriser.features(row["text"]) for row in rows()]
    assert sorted(seen + [tuple(ids.tolist()) for ids in goal.valid]) == sorted(tuple(ids.tolist()) for ids in known)


@pytest.mark.parametrize("most", [40, 10])
@pytest.mark.parametrize("kind", ["lines", "groups", "one_group"])
def test_no_more_rows_are_held_than_asked_for(kind, most, request):
    goal, config = streamed(request.getfixturevalue(kind), shuffle_rows=most)
    held = {len(inner.train) for inner, _ in goal.steps(config.train, 0, 0)}
    assert max(held) <= most
    assert len(held) > 1


def test_a_row_group_is_read_once_for_all_blocks_that_are_wanted_of_it(one_group, monkeypatch):
    opened = []
    parquet = blocks_module._parquet
    monkeypatch.setattr(blocks_module, "_parquet", lambda path: opened.append(path) or parquet(path))
    some = blocks_of(one_group)[2::3]
    assert len(some) == 3
    opened.clear()
    expected = [row for row in read_rows(one_group) if any(b.first <= row.line < b.first + b.rows for b in some)]
    assert list(rows_in(some)) == expected
    assert len(opened) == 1


def test_the_seed_and_the_epoch_make_the_order(lines):
    goal, config = streamed(lines)
    again, _ = streamed(lines)
    assert texts_of(goal, config, 1) == texts_of(again, config, 1)
    assert texts_of(goal, config, 1) != texts_of(goal, config, 2)
    other, changed = streamed(lines, seed=5)
    assert texts_of(other, changed, 1) != texts_of(goal, config, 1)


@pytest.mark.parametrize("start", [0, 1, 7, 19])
def test_an_epoch_can_be_begun_at_any_step(lines, start):
    goal, config = streamed(lines)
    assert texts_of(goal, config, 2, start) == texts_of(goal, config, 2)[start:]
    assert goal.n_steps(config.train, 2) == len(texts_of(goal, config, 2))


def test_a_training_that_was_stopped_ends_as_one_that_was_not(lines, tmp_path):
    config = Config().with_given(train=str(lines), **SMALL)
    train_model(config, tmp_path / "whole")
    steps = iter(range(1000))
    train_model(config, tmp_path / "parts", should_stop=lambda: next(steps) == 30)
    train_model(config, tmp_path / "parts", resume=True)
    some = [row["text"] for row in rows(20)]
    whole, parts = (load(tmp_path / name, threads=1) for name in ("whole", "parts"))
    np.testing.assert_array_equal(whole.predict_proba(some), parts.predict_proba(some))


def test_it_learns_what_a_training_in_memory_learns(groups, tmp_path):
    config = Config().with_given(train=str(groups), **{**SMALL, "epochs": 8})
    streamed_result = train_model(config, tmp_path / "streamed")
    held_result = train_model(config.with_given(stream=False), tmp_path / "held")
    assert streamed_result.best is not None
    assert held_result.best is not None
    assert streamed_result.best.metrics["accuracy"] == pytest.approx(held_result.best.metrics["accuracy"], abs=0.1)
    assert streamed_result.facts is not None
    assert streamed_result.facts.data["train_texts"] + streamed_result.facts.data["valid_texts"] == 203


def test_a_number_is_learned_in_its_own_unit(tmp_path):
    file = tmp_path / "numbers.jsonl"
    made = [{"text": row["text"], "stars": 100.0 + 50.0 * (row["label"] == "good")} for row in rows()]
    file.write_text("".join(json.dumps(row) + "\n" for row in made))
    config = Config().with_given(train=str(file), task="regress", label="stars", **{**SMALL, "epochs": 10})
    train_model(config, tmp_path / "model")
    low, high = load(tmp_path / "model", threads=1).predict(["it was awful", "it was great"])
    assert 90 < low < 120 < high < 160


def test_it_begins_from_an_encoder(lines, tmp_path):
    settings = {name: SMALL[name] for name in ("stream", "shuffle_rows", "threads")}
    config = Config().with_given(train=str(lines), start="en-tiny", epochs=1, tune="all", **settings)
    result = train_model(config, tmp_path / "model")
    assert result.best is not None
    assert result.best.metrics["accuracy"] > 0.8


def test_a_valid_file_is_used_whole(lines, tmp_path):
    checked = tmp_path / "valid.jsonl"
    checked.write_text("".join(json.dumps(row) + "\n" for row in rows(30)))
    goal, _ = streamed(lines, valid=str(checked))
    assert (goal.n_examples, len(goal.valid)) == (203, 30)


def test_a_bad_row_is_named_with_its_line_or_left_out(lines):
    content = lines.read_text().splitlines()
    content[40], content[90] = "{", json.dumps({"text": 5, "label": "good"})
    lines.write_text("\n".join(content) + "\n")
    with pytest.raises(DataError, match="line 41: not JSON"):
        streamed(lines)
    goal, config = streamed(lines, skip_bad=True)
    assert goal.n_examples + len(goal.valid) == 201
    assert sum(map(len, texts_of(goal, config))) == goal.n_examples


def test_a_changed_file_is_not_gone_on_with(lines, tmp_path):
    config = Config().with_given(train=str(lines), **SMALL)
    steps = iter(range(1000))
    train_model(config, tmp_path / "model", should_stop=lambda: next(steps) == 30)
    lines.write_text(lines.read_text().replace("great", "grand"))
    with pytest.raises(Exception, match="cannot resume with other settings or data: texts was"):
        train_model(config, tmp_path / "model", resume=True)


def test_damage_within_a_parquet_file_is_said_with_its_row(tmp_path):
    file = tmp_path / "texts.parquet"
    pq.write_table(pa.Table.from_pylist(rows()), file, row_group_size=30, compression="zstd")
    content = bytearray(file.read_bytes())
    middle = pq.ParquetFile(file).metadata.row_group(3).column(0).data_page_offset
    content[middle : middle + 40] = bytes(40)
    file.write_bytes(content)
    with pytest.raises(DataError, match=r"texts\.parquet: damaged after row 90: "):
        streamed(file)


def test_what_cannot_be_streamed_is_said(tmp_path, lines):
    (tmp_path / "texts.csv").write_text("text,label\na,b\n")
    with pytest.raises(DataError, match=r"cannot be streamed: expected a file ending in \.jsonl"):
        streamed(tmp_path / "texts.csv")
    with pytest.raises(ConfigError, match="stream is for texts with a label or a number, not for text tag"):
        streamed(lines, task="tag")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(DataError, match="the file is empty"):
        streamed(tmp_path / "empty.jsonl")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 not really PAR1")
    with pytest.raises(DataError, match="not a parquet file, or damaged"):
        streamed(tmp_path / "broken.parquet")
