from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest

from heedful.cli.commands.hops import sample
from heedful.cli.main import main
from heedful.store.folder import read_folder
from heedful.store.results.hops_file import read_atlas

WITHOUT_TORCH = "import sys; sys.modules['torch'] = None; from heedful.cli.main import run; run(sys.argv[1:])"


@pytest.fixture(scope="module")
def data(tmp_path_factory, examples, write_csv):
    return write_csv(tmp_path_factory.mktemp("data") / "in.csv", examples(60, seed=3))


def found(capsys, *arguments):
    """Return the JSON that a command prints."""
    assert main(["hops", *map(str, arguments), "--json", "-q", "--threads", "1"]) == 0
    return json.loads(capsys.readouterr().out)


def test_hops_runs_without_torch_and_prints_no_escape_characters(tiny_folder, data):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_TORCH, "hops", str(tiny_folder), str(data)],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("What the 3 hops of tiny read in 60 texts of in.csv") and "\x1b" not in done.stdout
    assert "60 rows" in done.stderr


def test_json_has_true_labels_where_the_file_has_them(tiny_folder, data, tmp_path, capsys):
    tree = found(capsys, tiny_folder, data)
    assert tree["labels_are"] == "true" and tree["n_texts"] == 60
    assert {x["label"]: x["n_texts"] for x in tree["hops"][0]["by_label"]} == {"bad": 30, "good": 30}
    lines = tmp_path / "lines.txt"
    lines.write_text("the parcel was great\nslow and awful\n")
    assert found(capsys, tiny_folder, lines)["labels_are"] == "predicted"


def test_columns_can_be_named_and_an_id_is_no_label(tiny_folder, tmp_path, capsys):
    path = tmp_path / "in.csv"
    path.write_text("id,words,shop\n1,great parcel,a\n2,slow town,b\n3,lovely sister,\n")
    tree = found(capsys, tiny_folder, path, "--text", "words")
    assert tree["labels_are"] == "predicted" and tree["n_words"] == 6
    tree = found(capsys, tiny_folder, path, "--text", "words", "--label", "shop")
    assert sorted(x["label"] for x in tree["hops"][0]["by_label"]) == ["a", "b"] and tree["n_texts"] == 3


def test_a_sample_is_the_same_for_the_same_seed(tiny_folder, data, capsys):
    one, same, other, whole = (
        found(capsys, tiny_folder, data, "--texts", n, "--seed", seed)
        for n, seed in ((20, 1), (20, 1), (20, 2), (0, 0))
    )
    assert one == same != other
    assert one["n_texts"] == other["n_texts"] == 20 and whole["n_texts"] == 60


def test_every_row_is_as_likely_and_the_order_stays():
    rows = [(str(i), None) for i in range(10)]
    seen: Counter[str] = Counter()
    for seed in range(2000):
        taken = [int(text) for text, _ in sample(iter(rows), 3, seed=seed)]
        assert len(set(taken)) == 3 and taken == sorted(taken)
        seen.update(map(str, taken))
    assert all(500 < seen[text] < 700 for text, _ in rows)  # 600 expected, deviation 20
    assert list(sample(iter(rows), 99, seed=0)) == rows


def test_words_are_as_many_as_asked(tiny_folder, data, capsys):
    assert all(len(hop["words"]) <= 2 for hop in found(capsys, tiny_folder, data, "--words", 2)["hops"])


def test_html_writes_a_page(tiny_folder, data, tmp_path, capsys):
    out = tmp_path / "page.html"
    assert main(["hops", str(tiny_folder), str(data), "--html", str(out)]) == 0
    shown = capsys.readouterr()
    assert shown.out == "" and "page written to" in shown.err
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_keep_leaves_it_in_the_folder_of_the_model(tiny_copy, data, capsys):
    model = read_folder(tiny_copy).fingerprint
    assert read_atlas(tiny_copy, model)["file"] != "in.csv"
    assert main(["hops", str(tiny_copy), str(data), "--keep", "-q"]) == 0
    shown = capsys.readouterr()
    assert "What the 3 hops" in shown.out and f"saved in {tiny_copy / 'hops.json'}" in " ".join(shown.err.split())
    kept = read_atlas(tiny_copy, model)
    assert (kept["file"], kept["n_texts"]) == ("in.csv", 60)
    assert found(capsys, tiny_copy, data, "--keep", "--texts", 20)["n_texts"] == 20
    assert read_atlas(tiny_copy, model)["n_texts"] == 20


def test_a_folder_that_cannot_be_written_is_named(tiny_copy, data, capsys):
    (tiny_copy / "hops.json").unlink()
    (tiny_copy / "hops.json").mkdir()
    assert main(["hops", str(tiny_copy), str(data), "--keep", "-q"]) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and "hops.json cannot be written" in " ".join(shown.err.split())


def test_an_encoder_has_hops_too(pretrained_folder, data, capsys):
    tree = found(capsys, pretrained_folder, data)
    assert tree["task"] == "embed" and len(tree["hops"]) == 2


def test_faults_are_one_message_and_exit_2(tiny_folder, data, tmp_path, capsys):
    empty, blank = tmp_path / "empty.csv", tmp_path / "blank.txt"
    empty.write_text("text,label\n")
    blank.write_text("\u200b\n")
    for arguments, expected in (
        ([tiny_folder, tmp_path / "none.csv"], "none.csv"),
        ([tiny_folder, empty], "no texts"),
        ([tiny_folder, blank], "the 1 texts have no words"),
        ([tmp_path, data], "heedful"),
        ([tiny_folder, data, "--label", "lable"], "Did you mean label?"),
        ([tiny_folder, data, "--text", "text", "--label", "text"], "cannot be both"),
        ([tiny_folder, data, "--texts", "-1"], "--texts is -1, expected at least 0"),
        ([tiny_folder, data, "--words", "0"], "--words is 0, expected at least 1"),
        ([tiny_folder, data, "--json", "--html", "x.html"], "give one of them"),
        ([tiny_folder, data, "--html", tmp_path / "no" / "x.html"], "cannot be written"),
    ):
        assert main(["hops", *map(str, arguments), "-q"]) == 2, arguments
        shown = capsys.readouterr()
        assert shown.out == "" and expected in shown.err and "Traceback" not in shown.err
