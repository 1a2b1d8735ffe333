"""Parts done in this process, without an engine: what is read, answered, set aside and written."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from heedful.engines.output import Output, PartResult
from heedful.engines.request import Work
from heedful.engines.run_part import DEATHS, PartContext, run_once, run_part

EMBED = Work("embed")


@pytest.fixture
def texts(examples):
    return [example.text for example in examples(30)]


def write(tmp_path, kind, texts):
    """Write texts with an id beside each."""
    path = tmp_path / f"in.{kind}"
    records = [{"id": str(i), "text": text} for i, text in enumerate(texts)]
    match kind.removesuffix(".gz"):
        case "parquet":
            pq.write_table(pa.Table.from_pylist(records), path, row_group_size=9)
            return path
        case "jsonl":
            content = "".join(json.dumps(record) + "\n" for record in records)
        case "csv":
            content = "id,text\n" + "".join(f'{r["id"]},"{r["text"]}"\n' for r in records)
        case "tsv":
            content = "id\ttext\n" + "".join(f"{r['id']}\t{r['text']}\n" for r in records)
        case _:
            content = "\n".join(texts)
    path.write_bytes(gzip.compress(content.encode()) if kind.endswith(".gz") else content.encode())
    return path


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "csv", "tsv", "txt", "jsonl.gz", "csv.gz", "txt.gz"])
def test_every_row_comes_once_with_its_vector_its_columns_and_its_place(go, tiny_model, tmp_path, texts, rows_of, kind):
    path = write(tmp_path, kind, texts)
    _, result = go(path)
    assert len(result) == (1 if kind.endswith(".gz") else 7 if kind == "parquet" else 5)
    rows = rows_of(tmp_path / "out")
    assert [row["text"] for row in rows] == texts
    np.testing.assert_allclose([row["vector"] for row in rows], tiny_model.embed(texts), atol=1e-5)
    if "txt" not in kind:
        assert [row["id"] for row in rows] == [str(i) for i in range(30)]
    first = 2 if kind.startswith(("csv", "tsv")) else 1
    assert [row["heedful_row"] for row in rows] == list(range(first, first + 30))
    assert {row["heedful_file"] for row in rows} == {str(path)}
    assert sum(one.rows for one in result) == 30 and all(one.bad == 0 for one in result)
    assert not list((tmp_path / "out/_bad").iterdir())


def test_rows_that_fail_are_set_aside_and_cost_no_other(go, tmp_path, rows_of, bad_of):
    lines = ['{"text": "one"}', "no json", '{"text": null}', '{"text": 5}', '{"other": "x"}', "[1]", '{"text": "two"}']
    path = tmp_path / "in.jsonl"
    path.write_bytes("\n".join(lines).encode() + b'\n{"text": "\xff"}\n\n{"text": "three"}\n')
    _, result = go(path, part_rows=3)
    assert [row["text"] for row in rows_of(tmp_path / "out")] == ["one", "two", "three"]
    bad = bad_of(tmp_path / "out")
    assert [(row["file"], row["row"]) for row in bad] == [(str(path), n) for n in (2, 3, 4, 5, 6, 8)]
    said = " | ".join(row["reason"] for row in bad)
    for reason in ("not JSON", "text is None", "text is 5", "no column 'text'; found other", "found list", "not UTF-8"):
        assert reason in said
    assert sum(one.bad for one in result) == 6


def test_empty_cells_and_wrong_counts_of_cells_are_bad_rows(go, tmp_path, rows_of, bad_of):
    pq.write_table(pa.table({"text": ["a", None, "b"]}), tmp_path / "a.parquet")
    (tmp_path / "b.csv").write_bytes(b'text,n\nfine,1\none,two,three\n"two\nlines",2\n\xff,3\nlast,4\n')
    go(tmp_path / "a.parquet", tmp_path / "b.csv", part_rows=2)
    assert [row["text"] for row in rows_of(tmp_path / "out")] == ["a", "b", "fine", "two\nlines", "last"]
    assert [row["heedful_row"] for row in rows_of(tmp_path / "out")] == [1, 3, 2, 4, 7]
    assert [(row["row"], row["reason"][:25]) for row in bad_of(tmp_path / "out")] == [
        (2, "found None, expected a te"), (3, "found 3 columns, expected"), (6, "not UTF-8"),
    ]  # fmt: skip


def test_a_row_that_makes_the_model_fail_is_found_and_set_aside(go, tiny_model, tmp_path, rows_of, bad_of, monkeypatch):
    embed = type(tiny_model).embed

    def choosy(self, texts, **options):
        if any("poison" in text for text in texts):
            raise ValueError("that I cannot read")
        return embed(self, texts, **options)

    monkeypatch.setattr(type(tiny_model), "embed", choosy)
    (tmp_path / "in.txt").write_text("\n".join(["a", "poison", "b", "c", "poison", "d"]))
    go(tmp_path / "in.txt", part_rows=100)
    assert [row["text"] for row in rows_of(tmp_path / "out")] == ["a", "b", "c", "d"]
    assert [(row["row"], row["reason"]) for row in bad_of(tmp_path / "out")] == [
        (n, "ValueError('that I cannot read')") for n in (2, 5)
    ]


def test_a_part_without_a_good_row_has_the_columns_of_the_others(go, tmp_path):
    (tmp_path / "in.csv").write_text("text,n\n" + "x,1,1\n" * 3 + "fine,1\n")
    go(tmp_path / "in.csv", part_rows=4)
    first, second = (pq.read_table(tmp_path / f"out/part-00000{i}.parquet") for i in (0, 1))
    assert (len(first), len(second)) == (0, 1) and first.schema == second.schema
    assert len(pq.read_table(tmp_path / "out")) == 1, "a folder of parts is not a table for Arrow"


@pytest.mark.parametrize("cut", [10, 40])
def test_a_gz_that_was_cut_short_gives_the_rows_before_the_cut(go, tmp_path, texts, rows_of, bad_of, cut):
    whole = gzip.compress("\n".join(texts * 400).encode())
    (tmp_path / "in.txt.gz").write_bytes(whole[: len(whole) * cut // 50])
    (tmp_path / "other.txt").write_text("fine\n")
    _, result = go(tmp_path / "in.txt.gz", tmp_path / "other.txt")
    rows = rows_of(tmp_path / "out")
    assert rows[-1]["text"] == "fine"
    assert [row["text"] for row in rows[:-1]] == (texts * 400)[: len(rows) - 1] and len(rows) > 100
    assert result[0].fault and result[0].fault.startswith(f"damaged after row {len(rows) - 1:,}: ")
    assert bad_of(tmp_path / "out")[0]["file"].endswith("in.txt.gz")


def test_a_broken_parquet_file_is_left_out_and_the_others_are_done(go, tmp_path, texts, rows_of):
    good = write(tmp_path, "parquet", texts)
    content = good.read_bytes()
    (tmp_path / "no.parquet").write_bytes(b"not parquet at all")
    (tmp_path / "cut.parquet").write_bytes(content[: len(content) // 2])
    (tmp_path / "void.parquet").write_bytes(b"")
    plan, result = go(*(tmp_path / f"{name}.parquet" for name in ("no", "cut", "void", "in")))
    assert [bool(file.fault) for file in plan.files] == [True, True, True, False]
    assert [row["text"] for row in rows_of(tmp_path / "out")] == texts and not any(one.fault for one in result)


def test_damage_within_a_parquet_file_costs_its_row_group(go, tmp_path, texts, rows_of):
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"text": texts}), path, row_group_size=10, compression="zstd", use_dictionary=False,
                   write_page_checksum=True)  # fmt: skip
    column = pq.ParquetFile(path).metadata.row_group(1).column(0)
    content = bytearray(path.read_bytes())
    middle = column.data_page_offset + column.total_compressed_size // 2
    content[middle : middle + 8] = b"\0" * 8
    path.write_bytes(content)
    _, result = go(path, part_rows=10)
    assert [row["text"] for row in rows_of(tmp_path / "out")] == texts[:10] + texts[20:]
    assert [bool(one.fault) for one in result] == [False, True, False]


def test_trouble_with_a_disk_leaves_the_part_to_be_done_again(go, tmp_path, tiny_model, monkeypatch):
    (tmp_path / "in.txt").write_text("a\nb\n")
    plan, _ = go(tmp_path / "in.txt")
    (tmp_path / "in.txt").unlink()
    monkeypatch.setattr("time.sleep", lambda _: None)
    output = Output(str(tmp_path / "again"))
    output.prepare()
    result = run_part(PartContext(tiny_model, EMBED, plan.schema, output, "parquet"), plan.parts[0])
    assert result.failed and "No such file" in result.failed
    assert output.done("parquet") == {} and sorted(output.names()) == ["_bad", "_done", "_tried"]


def test_a_part_at_which_workers_die_is_given_up(go, tmp_path, tiny_model):
    (tmp_path / "in.txt").write_text("a\n")
    plan, _ = go(tmp_path / "in.txt")
    output = Output(str(tmp_path / "again"))
    output.prepare()
    output.write_text("_tried/part-000000", str(DEATHS))
    context = PartContext(tiny_model, EMBED, plan.schema, output, "parquet")
    assert "workers died" in (run_once(context, plan.parts[0]).failed or "")
    output.reset_attempts()
    assert (
        run_once(context, plan.parts[0])
        == output.result_of("part-000000", "parquet")
        == run_once(context, plan.parts[0])
    )


def test_answers_and_explanations_beside_the_rows(go, tiny_model, tmp_path, texts, rows_of):
    path = write(tmp_path, "jsonl", texts)
    go(path, work=Work("predict"), form="jsonl")
    rows = rows_of(tmp_path / "out")
    assert [row["predicted"] for row in rows] == tiny_model.predict(texts)
    assert [row["probability"] for row in rows] == pytest.approx(tiny_model.predict_proba(texts).max(1), abs=2e-6)
    go(path, work=Work("explain", {"methods": "attention"}), form="jsonl", out=tmp_path / "why")
    rows = rows_of(tmp_path / "why")
    expected = [one.to_dict() for one in tiny_model.explain(texts, methods="attention")]
    assert [row["explanation"]["label"] for row in rows] == [one["label"] for one in expected]
    weights = [[word["weight"] for word in row["explanation"]["words"]] for row in rows]
    assert weights[3] == pytest.approx([word["weight"] for word in expected[3]["words"]], abs=1e-5)


def test_csv_output_has_names_and_rows(go, tmp_path, texts):
    go(write(tmp_path, "csv", texts), work=Work("predict"), form="csv", part_rows=50)
    lines = (tmp_path / "out/part-000000.csv").read_text().splitlines()
    assert lines[0] == '"id","text","heedful_file","heedful_row","predicted","probability"' and len(lines) == 31


def test_cells_of_other_types_come_back_as_they_were(go, tmp_path, rows_of, monkeypatch):
    monkeypatch.setattr("heedful.engines.reading.survey.SAMPLE", 2)
    records = [
        {"text": "a", "n": 1, "deep": {"x": [1]}},
        {"text": "b", "n": 2},
        {"text": "c", "n": 2.5, "new": "\ud800"},
    ]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    go(tmp_path / "in.jsonl", form="jsonl")
    rows = rows_of(tmp_path / "out")
    assert [row["n"] for row in rows] == [1, 2, 2.5] and rows[0]["deep"] == {"x": [1]} and rows[2]["new"] == "\ufffd"
    go(tmp_path / "in.jsonl", out=tmp_path / "table")
    assert json.loads(rows_of(tmp_path / "table")[2]["heedful_more"]) == {"n": 2.5, "new": "\ufffd"}


def test_files_with_other_columns_go_into_one_table(go, tmp_path, rows_of):
    pq.write_table(pa.table({"text": ["a"], "n": pa.array([1], pa.int32())}), tmp_path / "a.parquet")
    pq.write_table(
        pa.table({"n": [2], "text": pa.array(["b"], pa.large_string()), "m": [True]}), tmp_path / "b.parquet"
    )
    go(tmp_path / "a.parquet", tmp_path / "b.parquet")
    table = pq.read_table(tmp_path / "out")
    assert table["n"].to_pylist() == [1, 2] and table["m"].to_pylist() == [None, True]


def test_counts_are_read_back(tmp_path):
    output = Output(str(tmp_path / "out"))
    output.prepare()
    result = PartResult("part-000001", 5, 1, 0.5, "fault")
    output.write_text("_done/part-000001.json", result.to_json())
    output.write_text("_done/part-000002.json", result.to_json()[:20])
    assert output.done("parquet") == {}, "a part whose file is gone is not done"
    output.write_text("part-000001.parquet", "rows")
    assert output.done("parquet") == {"part-000001": result}


@pytest.mark.parametrize("kind", ["parquet", "csv", "jsonl"])
def test_columns_of_the_input_that_have_our_names_are_kept_under_others(go, tmp_path, rows_of, kind):
    theirs = {"text": "a great day", "predicted": "p", "probability": "q", "heedful_file": "f", "heedful_more": "m"}
    theirs |= {"input_predicted": "before"}
    path = tmp_path / f"in.{kind}"
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist([theirs]), path)
    else:
        content = ",".join(theirs) + "\n" + ",".join(theirs.values()) + "\n"
        path.write_text(json.dumps(theirs) + "\n" if kind == "jsonl" else content)
    go(path, work=Work("predict"), out=tmp_path / "table")
    row = rows_of(tmp_path / "table")[0]
    assert row["predicted"] in ("good", "bad") and 0 < row["probability"] <= 1
    assert row["heedful_file"] == str(path)
    found = (row["input_input_predicted"], row["input_predicted"], row["input_probability"], row["input_heedful_file"])
    assert found == ("p", "before", "q", "f")
    more = row["input_heedful_more"] if kind != "jsonl" else json.loads(row["heedful_more"])["heedful_more"]
    assert more == "m"
