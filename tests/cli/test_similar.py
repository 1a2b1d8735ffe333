from __future__ import annotations

import json
import subprocess
import sys

import pytest
import tomli_w

from heedful import __version__
from heedful.cli.main import main
from heedful.config import Config
from heedful.inputs.text.featuriser import WordFeaturiser
from heedful.network.build import build_network
from heedful.network.write import onnx_graph
from heedful.runtime.model import load
from heedful.store import folder
from heedful.store.metadata import Facts
from heedful.text.vocab import Vocab
from heedful.text.word_tokeniser import WordTokeniser

WITHOUT_TORCH = "import sys; sys.modules['torch'] = None; from heedful.cli.main import run; run(sys.argv[1:])"
A, B = "The parcel came on Monday", "my package arrived today"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    """The folder of an encoder that has learnt nothing."""
    out = tmp_path_factory.mktemp("encoder") / "tiny-encoder"
    config = Config(task="embed").changed(encoder="static", head="vector", embed_width=6, n_hops=2, vector_width=5)
    featuriser = WordFeaturiser(WordTokeniser(), Vocab(f"{A} {B}".lower().split()), max_tokens=100)
    network = build_network(config.model, n_ids=len(featuriser)).eval()
    ((name, vocab),) = folder.featuriser_files(featuriser).items()
    files = {
        folder.CONFIG: tomli_w.dumps(config.to_dict()).encode(),
        folder.FACTS: Facts((), 2, 6, __version__).to_json().encode(),
        folder.GRAPH: onnx_graph(config.model, {key: t.numpy() for key, t in network.state_dict().items()}),
        name: vocab,
    }
    folder.write_folder(out, files)
    return out


def test_similar_runs_without_torch_and_prints_no_escape_characters(encoder):
    arguments = [str(encoder), A, "[bold]my[/bold] \x1b[31mpackage [/x]"]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT_TORCH, "similar", *arguments],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Similarity ") and "\x1b" not in done.stdout
    assert "[bold]my[/bold] �[31mpackage [/x]" in done.stdout


def test_json_is_to_dict(encoder, capsys):
    assert main(["similar", str(encoder), A, B, "--json", "--threads", "1"]) == 0
    found, expected = json.loads(capsys.readouterr().out), load(encoder, threads=1).similarity(A, B).to_dict()
    assert found["similarity"] == pytest.approx(expected["similarity"], abs=1e-6)
    assert [side["text"] for side in found["texts"]] == [A, B]
    assert [len(row) for row in found["matrix"]] == [4] * 5


def test_html_writes_a_page(encoder, tmp_path, capsys):
    out = tmp_path / "page.html"
    assert main(["similar", str(encoder), A, B, "--html", str(out)]) == 0
    shown = capsys.readouterr()
    assert shown.out == "" and "page written to" in shown.err
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("texts", [("", ""), ("", A), (A, "zxqv zxqv")])
def test_any_two_texts_have_an_answer(encoder, texts, capsys):
    assert main(["similar", str(encoder), *texts]) == 0
    assert capsys.readouterr().out.startswith("Similarity ")


def test_faults_are_one_message_and_exit_2(encoder, tiny_folder, tmp_path, capsys):
    model = str(encoder)
    for arguments, expected in (
        ([str(tiny_folder), A, B], "is not an encoder. Similarity needs one"),
        ([model, A, B, "--html", "x.html", "--json"], "give one of them"),
        ([model, A, B, "--html", str(tmp_path / "no" / "page.html")], "cannot be written"),
        ([str(tmp_path / "nothing"), A, B], "is not a folder"),
    ):
        assert main(["similar", *arguments]) == 2
        shown = capsys.readouterr()
        assert expected in shown.err and shown.err.count("\n") == 1 and shown.out == ""


def test_one_text_is_not_enough(encoder, capsys):
    with pytest.raises(SystemExit) as left:
        main(["similar", str(encoder), A])
    assert left.value.code == 2 and "required: text" in capsys.readouterr().err
