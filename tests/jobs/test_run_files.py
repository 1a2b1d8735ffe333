from __future__ import annotations

import gzip
import json
from functools import partial

import numpy as np
import pytest

from heedful.data.read import read_rows
from heedful.errors import DataError
from heedful.jobs import run_files as stream
from heedful.jobs.output.sinks import open_sink
from heedful.jobs.run_files import CHUNK, as_chunk, chunks, embed_stream, predict_stream, run_stream


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(stream, "CHUNK", 7)


def test_more_rows_than_a_chunk_come_back_in_order(tiny_model, tmp_path):
    n = CHUNK + 500
    (tmp_path / "in.csv").write_text("id,text\n" + "".join(f"{i},{['great', 'slow'][i % 2]} x\n" for i in range(n)))
    told: list[int] = []
    with open_sink(tmp_path / "out.csv") as sink:
        done = run_stream(tiny_model, chunks([tmp_path / "in.csv"]), sink, predict_stream, on_progress=told.append)
    rows = [row.values for row in read_rows(tmp_path / "out.csv")]
    assert done == n and told == [CHUNK, n]
    assert [row["id"] for row in rows] == [str(i) for i in range(n)]
    expected = tiny_model.predict_proba(["great x", "slow x"])
    for i in (0, 1, CHUNK - 1, CHUNK, n - 1):
        assert rows[i]["predicted"] == tiny_model.labels[expected[i % 2].argmax()]
        assert float(rows[i]["probability"]) == pytest.approx(expected[i % 2].max(), abs=2e-6)


def test_a_chunk_may_span_files(tiny_model, tmp_path, small_chunks, examples):
    texts = [e.text for e in examples(30)]
    for i, part in enumerate((texts[:5], texts[5:17], [], texts[17:])):
        with gzip.open(tmp_path / f"{i}.txt.gz", "wt") as file:
            file.writelines(line + "\n" for line in part)
    found = list(chunks(sorted(tmp_path.iterdir())))
    assert [len(chunk) for chunk in found] == [7, 7, 7, 7, 2]
    assert [text for chunk in found for _, text in chunk] == texts


def test_vectors_in_a_file_are_those_of_embed(tiny_model, tmp_path, small_chunks, examples):
    texts = [e.text for e in examples(30)]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"text": t, "extra": i}) + "\n" for i, t in enumerate(texts)))
    for normalize in (False, True):
        with open_sink(tmp_path / "out.npy") as sink:
            work = partial(embed_stream, normalize=normalize)
            run_stream(tiny_model, chunks([tmp_path / "in.jsonl"]), sink, work)
        expected = tiny_model.embed(texts, normalize=normalize)
        np.testing.assert_allclose(np.load(tmp_path / "out.npy"), expected, atol=1e-5)


def test_other_columns_are_kept(tiny_model, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"text": "great", "extra": {"deep": [1, null]}}\n')
    with open_sink(tmp_path / "out.jsonl") as sink:
        run_stream(tiny_model, chunks([tmp_path / "in.jsonl"]), sink, predict_stream)
    row = json.loads((tmp_path / "out.jsonl").read_text())
    assert (row["text"], row["extra"]) == ("great", {"deep": [1, None]})
    assert list(row)[2:] == ["predicted", "probability"]


def test_a_fault_midway_leaves_no_file(tiny_model, tmp_path, small_chunks):
    (tmp_path / "in.csv").write_text("id,text\n" + "1,fine\n" * 20 + "1,one,too many\n")
    with pytest.raises(DataError, match="line 22"), open_sink(tmp_path / "out.csv") as sink:
        run_stream(tiny_model, chunks([tmp_path / "in.csv"]), sink, predict_stream)
    assert [p.name for p in tmp_path.iterdir()] == ["in.csv"]


def test_texts_from_no_file_are_rows_with_one_column():
    assert [(dict(row.values), row.line, text) for row, text in as_chunk(["a", "b"])] == [
        ({"text": "a"}, 1, "a"),
        ({"text": "b"}, 2, "b"),
    ]


def test_an_empty_file_gives_no_chunk(tmp_path):
    (tmp_path / "empty.txt").write_text("")
    assert list(chunks([tmp_path / "empty.txt"])) == []


def test_a_models_own_column_is_a_hint_and_not_a_must(tmp_path):
    (tmp_path / "a.csv").write_text("review,label\ngood,yes\n")
    (tmp_path / "b.txt").write_text("plain line\n")
    found = [text for chunk in chunks([tmp_path / "a.csv", tmp_path / "b.txt"], hint="review") for _, text in chunk]
    assert found == ["good", "plain line"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_columns_of_the_input_that_have_our_names_are_kept_under_others(tiny_model, tmp_path, ending):
    (tmp_path / "in.csv").write_text("text,predicted,probability,input_predicted\na great day,p,q,before\n")
    out = tmp_path / f"out.{ending}"
    with open_sink(out) as sink:
        run_stream(tiny_model, chunks([tmp_path / "in.csv"]), sink, predict_stream)
    row = next(iter(read_rows(out))).values
    assert row["predicted"] in tiny_model.labels and 0 < float(row["probability"]) <= 1
    assert (row["input_input_predicted"], row["input_predicted"], row["input_probability"]) == ("p", "before", "q")


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_column_called_vector_is_kept_beside_ours(tiny_model, tmp_path, ending):
    (tmp_path / "in.csv").write_text("text,vector\na great day,theirs\n")
    out = tmp_path / f"out.{ending}"
    with open_sink(out) as sink:
        run_stream(tiny_model, chunks([tmp_path / "in.csv"]), sink, stream.embed_stream)
    row = next(iter(read_rows(out))).values
    assert row["input_vector"] == "theirs" and len(row["vector"]) == tiny_model.width


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_key_that_only_a_late_line_has_is_not_lost(tiny_model, tmp_path, small_chunks, ending):
    lines = ['{"text": "great a"}'] * 10 + ['{"text": "b", "extra": "here"}'] + ['{"text": "c"}'] * 10
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    out = tmp_path / f"out.{ending}"
    with open_sink(out) as sink:
        run_stream(tiny_model, chunks([tmp_path / "in.jsonl"]), sink, predict_stream)
    rows = [row.values for row in read_rows(out)]
    assert list(rows[0]) == ["text", "predicted", "probability", "extra"]
    assert [row["extra"] or None for row in rows] == [None] * 10 + ["here"] + [None] * 10
