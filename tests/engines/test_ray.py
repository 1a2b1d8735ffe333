"""Commands on Ray: the same answers as of one process, every good row once, and what is bad named."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from heedful.cli.main import main
from heedful.errors import HeedfulError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.filterwarnings("default"),  # Ray has warnings of its own
    pytest.mark.usefixtures("ray"),
]


@pytest.fixture(scope="module")
def texts(examples):
    return [example.text for example in examples(400, seed=3)]


@pytest.fixture
def inputs(tmp_path, texts):
    """Four files of a hundred texts: parquet, CSV, JSON lines and zipped lines."""
    import gzip

    home = tmp_path / "in"
    home.mkdir()
    ids = [f"id-{i}" for i in range(400)]
    pq.write_table(pa.table({"id": ids[:100], "text": texts[:100]}), home / "a.parquet", row_group_size=30)
    rows = "".join(f"{i},{t}\n" for i, t in zip(ids[100:200], texts[100:200], strict=True))
    (home / "b.csv").write_text("id,text\n" + rows)
    rows = "".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in zip(ids[200:300], texts[200:300], strict=True))
    (home / "c.jsonl").write_text(rows)
    (home / "d.txt.gz").write_bytes(gzip.compress("\n".join(texts[300:]).encode()))
    return home


def run(capsys, *arguments) -> tuple[int, dict, str]:
    """Run a command with --json; return its code, its summary and what it said."""
    code = main([*map(str, arguments), "--engine", "ray", "--json", "--quiet", "--part-rows", "20"])
    said = capsys.readouterr()
    return code, json.loads(said.out) if said.out else {}, said.err


def test_vectors_are_those_of_one_process_row_for_row(capsys, tiny_folder, inputs, tmp_path, texts, rows_of):
    alone, files = tmp_path / "alone.npy", sorted(inputs.iterdir())
    assert main(["embed", str(tiny_folder), *map(str, files), "-o", str(alone), "--quiet"]) == 0
    code, summary, said = run(capsys, "embed", tiny_folder, inputs, "-o", tmp_path / "out")
    assert code == 0 and said == "", said
    assert (summary["rows"], summary["bad"], summary["left_out"]) == (400, 0, [])
    rows = rows_of(tmp_path / "out")
    assert [row["text"] for row in rows] == texts
    assert [row["id"] for row in rows] == [f"id-{i}" for i in range(300)] + [None] * 100
    assert [row["heedful_file"] for row in rows] == [str(file) for file in files for _ in range(100)]
    numbers = [*range(1, 101), *range(2, 102), *range(1, 101), *range(1, 101)]
    assert [row["heedful_row"] for row in rows] == numbers
    np.testing.assert_allclose([row["vector"] for row in rows], np.load(alone), atol=1e-5)


def test_the_same_again_does_nothing_and_another_setting_is_refused(capsys, tiny_folder, inputs, tmp_path):
    out = tmp_path / "out"
    run(capsys, "embed", tiny_folder, inputs / "b.csv", "-o", out)
    before = {part.name: part.stat().st_mtime_ns for part in out.iterdir()}
    code, summary, _ = run(capsys, "embed", tiny_folder, inputs / "b.csv", "-o", out)
    assert code == 0 and summary["parts_before"] == summary["parts"] == len(list(out.glob("part-*"))) == 6
    code, _, said = run(capsys, "embed", tiny_folder, inputs / "b.csv", "-o", out, "--width", "4")
    assert code == 2 and "width was not given, is 4" in said and "set overwrite" in said and said.count("\n") == 1
    with (inputs / "b.csv").open("a") as file:
        file.write("new,one more\n")
    code, _, said = run(capsys, "embed", tiny_folder, inputs / "b.csv", "-o", out)
    assert code == 2 and "b.csv has changed" in said
    assert {part.name: part.stat().st_mtime_ns for part in out.iterdir()} == before
    code, summary, _ = run(capsys, "embed", tiny_folder, inputs / "b.csv", "-o", out, "--width", "4", "--overwrite")
    assert (code, summary["rows"], summary["parts_before"]) == (0, 101, 0)


def test_an_earlier_run_is_kept_when_the_one_that_would_replace_it_is_wrong(capsys, tiny_folder, inputs, tmp_path):
    out = tmp_path / "out"
    run(capsys, "embed", tiny_folder, inputs / "b.csv", "-o", out)
    before = sorted(path.name for path in out.rglob("*"))
    wrong = ("embed", tiny_folder, inputs / "b.csv", "-o", out, "--text", "txet", "--overwrite")
    code, _, said = run(capsys, *wrong)
    assert code == 2 and "no column 'txet'" in said
    assert sorted(path.name for path in out.rglob("*")) == before


def test_an_output_within_the_folder_of_the_inputs_is_gone_on_with(capsys, tiny_folder, inputs):
    out = inputs / "out"
    assert run(capsys, "embed", tiny_folder, inputs, "-o", out)[1]["rows"] == 400
    lost = out / "part-000003.parquet"
    lost.unlink()
    code, summary, said = run(capsys, "embed", tiny_folder, inputs, "-o", out)
    assert code == 0, said
    assert (summary["rows"], summary["parts"] - summary["parts_before"]) == (400, 1)
    assert lost.exists()
    code, _, said = run(capsys, "embed", tiny_folder, out, "-o", out)
    assert code == 2 and "all input files are in the output folder" in said


def test_a_run_that_was_killed_before_its_plan_was_written_begins_again(capsys, tiny_folder, inputs, tmp_path):
    for inner in ("_done", "_bad", "_tried"):
        (tmp_path / "out" / inner).mkdir(parents=True)
    code, summary, said = run(capsys, "embed", tiny_folder, inputs / "b.csv", "-o", tmp_path / "out")
    assert code == 0 and summary["rows"] == 100, said


def test_bad_files_and_rows_cost_no_other(capsys, tiny_folder, inputs, tmp_path, texts, rows_of, bad_of):
    (inputs / "a.parquet").write_bytes((inputs / "a.parquet").read_bytes()[:-30])
    whole = (inputs / "d.txt.gz").read_bytes()
    (inputs / "d.txt.gz").write_bytes(whole[: len(whole) // 2])
    lines = (inputs / "c.jsonl").read_text().splitlines()
    lines[10], lines[50] = "{broken", '{"id": "id-250", "text": null}'
    (inputs / "c.jsonl").write_text("\n".join(lines))
    code, summary, said = run(capsys, "predict", tiny_folder, inputs, "-o", tmp_path / "out")
    assert code == 3
    rows = rows_of(tmp_path / "out")
    by_file = {name: [row["text"] for row in rows if name in row["heedful_file"]] for name in ("b.csv", "c.js", "d.t")}
    assert by_file["b.csv"] == texts[100:200]
    assert by_file["c.js"] == [text for i, text in enumerate(texts[200:300]) if i not in (10, 50)]
    assert by_file["d.t"] == texts[300 : 300 + len(by_file["d.t"])]
    assert len(rows) == sum(map(len, by_file.values())) == summary["rows"]
    assert [(row["row"]) for row in bad_of(tmp_path / "out") if "c.jsonl" in row["file"]] == [11, 51]
    assert len(summary["left_out"]) == 2 and summary["bad"] == 2
    assert "left out: " in said and "a.parquet: cannot be read" in said and "d.txt.gz: damaged" in said
    assert "2 rows were set aside" in said


def test_explanations_as_json_lines_from_an_address(capsys, tiny_folder, tiny_model, inputs, tmp_path, texts, rows_of):
    address, out = f"file://{inputs}/*.csv", tmp_path / "out"
    arguments = ("explain", tiny_folder, address, "-o", f"file://{out}", "--form", "jsonl", "--methods", "attention")
    code, summary, _ = run(capsys, *arguments)
    rows = rows_of(out)
    assert code == 0 and summary["rows"] == len(rows) == 100
    labels = [one.label for one in tiny_model.explain(texts[100:200], methods="attention")]
    assert [row["explanation"]["label"] for row in rows] == labels
    assert rows[0]["heedful_file"] == f"file://{inputs}/b.csv"


def test_a_dataset_gets_its_columns_when_it_is_used(ray, tiny_folder, tiny_model, texts):
    from heedful.engines.ray import FAULT, embed, explain, predict

    given: list[str | None] = [*texts[:99], None]
    dataset = ray.data.from_arrow(pa.table({"n": list(range(100)), "body": pa.array(given, pa.string())}))
    rows = sorted(embed(dataset, tiny_folder, column="body", normalize=True).take_all(), key=lambda row: row["n"])
    np.testing.assert_allclose(
        [row["vector"] for row in rows[:99]], tiny_model.embed(texts[:99], normalize=True), atol=1e-5
    )
    assert rows[99]["vector"] is None and "expected a text" in rows[99][FAULT] and rows[0][FAULT] is None
    answered = sorted(predict(dataset, tiny_model, column="body").take_all(), key=lambda row: row["n"])
    assert [row["predicted"] for row in answered[:99]] == tiny_model.predict(texts[:99])
    why = explain(dataset.limit(3), tiny_folder, column="body", methods=()).take_all()
    assert [json.loads(row["explanation"])["text"] for row in why] == texts[:3]
    with pytest.raises(HeedfulError, match=r"no column 'text'\. The columns are n, body; pass column=NAME"):
        embed(dataset, tiny_folder)
    with pytest.raises(HeedfulError, match="no method 'magic'"):
        explain(dataset, tiny_folder, column="body", methods="magic")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["embed", "in/none.csv", "-o", "out"], "no such file"),
        (["embed", "in/b.csv"], "an output folder: -o FOLDER"),
        (["embed", "in/b.csv", "-o", "out", "--text", "txet"], "no column 'txet' (setting text)"),
        (["embed", "in/b.csv", "-o", "out", "--form", "csv"], "vectors cannot be written as csv"),
        (["embed", "in/b.csv", "-o", "out", "--width", "9999"], "width is 9999"),
        (["embed", "in/b.csv", "-o", "out", "--workers", "0"], "workers is 0, expected at least 1"),
        (["embed", "in/b.csv", "-o", "in/b.csv"], "in/b.csv is a file, expected a folder"),
        (["embed", "in/b.csv", "-o", "in"], "already exists and contains other files"),
        (["explain", "in/b.csv", "-o", "out", "--html", "x"], "--html does not go with --engine"),
        (["explain", "in/b.csv", "-o", "out", "--methods", "magic"], "no method 'magic'"),
    ],
)
def test_a_users_fault_is_one_message_and_nothing_is_written(
    capsys, tiny_folder, inputs, monkeypatch, arguments, message
):
    monkeypatch.chdir(inputs.parent)
    command, *rest = arguments
    code = main([command, str(tiny_folder), *rest, "--engine", "ray"])
    said = capsys.readouterr().err
    assert code == 2 and message in said and said.count("\n") == 1
    assert sorted(path.name for path in inputs.parent.iterdir()) == ["in"]


def test_flags_of_engines_mean_nothing_without_one(capsys, tiny_folder):
    assert main(["predict", str(tiny_folder), "a text", "--workers", "2"]) == 2
    assert "--workers goes with --engine ray" in capsys.readouterr().err
