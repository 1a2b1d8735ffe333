"""From a file of translations to a translator, by Python and by the command line."""

import json
import random
import shutil

import numpy as np
import pytest

from heedful.api.train import train
from heedful.cli.main import main
from heedful.errors import HeedfulError, ModelFolderError
from heedful.jobs.evaluate import evaluate_file
from heedful.runtime.model import load
from heedful.tasks.translate.explain import Alignment
from heedful.tasks.translate.metrics import translation_metrics
from heedful.tasks.translate.model import Translator

ENGLISH, GERMAN = ["one", "two", "three", "four"], ["eins", "zwei", "drei", "vier"]


def rows(n: int, seed: int = 0) -> list[tuple[str, str]]:
    draw = random.Random(seed)
    found = []
    for _ in range(n):
        words = [draw.randrange(4) for _ in range(draw.randint(1, 4))]
        found.append((" ".join(ENGLISH[i] for i in words), " ".join(GERMAN[i] for i in reversed(words)) + "."))
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a file of translations and a translator that has learned a little of it."""
    home = tmp_path_factory.mktemp("translate")
    (home / "pairs.tsv").write_text("en\tde\n" + "".join(f"{a}\t{b}\n" for a, b in rows(200)), encoding="utf-8")
    train(
        home / "pairs.tsv", home / "model", task="translate", text="en", label="de", vocab_size=60, embed_width=12,
        units=10, decoder_units=20, epochs=3, lr=0.01, dropout=0.0, threads=1,
    )  # fmt: skip
    return home


@pytest.fixture(scope="module")
def model(home) -> Translator:
    return load(home / "model", threads=1)


def test_a_folder_of_a_translator_is_loaded_as_one(home, model):
    assert isinstance(model, Translator)
    assert repr(model) == "<heedful translator model: en to de, bilstm>"
    assert {"model.onnx", "decoder.onnx", "input.json"} <= {file.name for file in (home / "model").iterdir()}
    assert model.config.text.tokens == "subwords"
    assert "two LSTMs" in (home / "model" / "README.md").read_text(encoding="utf-8")
    assert 0 < model.facts.parity < 1e-4


def test_translations_come_back_in_order_whatever_the_batch_size(model):
    texts = [text for text, _ in rows(20, seed=1)] + ["", "  "]
    together = model.translate(texts)
    assert together[-2:] == ["", ""]
    assert any(together)
    assert model.translate(texts, batch_size=3) == together
    assert [model.translate(text) for text in texts] == together
    assert model.predict(texts[:2]) == together[:2]


def test_a_wider_beam_finds_nothing_less_probable(model):
    texts = sorted({text for text, _ in rows(30, seed=2)})
    narrow, wide = (model.candidates(texts, beam=beam) for beam in (1, 20))
    assert all(len(found) == 1 for found in narrow)
    assert sum(w[0].score >= n[0].score - 1e-5 for n, w in zip(narrow, wide, strict=True)) >= len(texts) - 1
    for found in wide:
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_an_alignment_sums_to_1_and_names_the_words(model):
    found = model.explain("one three two")
    assert isinstance(found, Alignment)
    assert found.source == ("one", "three", "two")
    assert found.translation == model.translate("one three two")
    assert "".join(found.target) == found.translation.replace(" ", "")
    assert found.weights.shape == (len(found.target), 3)
    assert found.weights.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert np.all(found.weights >= 0)
    assert model.explain(["", "one"])[0].target == ()


def test_figures_are_those_of_the_translations(home, model):
    found = evaluate_file(model, home / "pairs.tsv")
    expected = translation_metrics([b for _, b in rows(200)], model.translate([a for a, _ in rows(200)]))
    assert found == expected


def test_what_a_translator_cannot_do_is_said(model):
    for name in ("scores", "predict_proba", "embed", "flip"):
        with pytest.raises(HeedfulError, match=f"model translates and has no {name}"):
            getattr(model, name)("one")
    with pytest.raises(HeedfulError, match="beam is 0, expected 1 to 100"):
        model.translate("one", beam=0)
    with pytest.raises(HeedfulError, match="batch_size is 0"):
        model.translate("one", batch_size=0)
    with pytest.raises(HeedfulError, match="found int 3, expected a text"):
        model.translate([3])


def test_a_translation_is_never_without_end(model):
    found = model.candidates(["one " * 300], beam=2)[0]
    assert all(len(one.text.split()) <= 2 * 200 + 10 for one in found)


@pytest.mark.parametrize("file", ["decoder.onnx", "input.json"])
def test_a_folder_without_all_its_files_is_refused(home, tmp_path, file):
    copy = shutil.copytree(home / "model", tmp_path / "copy")
    (copy / file).unlink()
    with pytest.raises(ModelFolderError, match=f"has no {file}"):
        load(copy)


def test_graphs_that_are_in_each_others_place_are_refused(home, tmp_path, reseal):
    copy = shutil.copytree(home / "model", tmp_path / "copy")
    (copy / "decoder.onnx").write_bytes((copy / "model.onnx").read_bytes())
    reseal(copy)
    with pytest.raises(ModelFolderError, match=r"decoder\.onnx takes ids, lengths; expected before"):
        load(copy)
    (copy / "decoder.onnx").write_bytes(b"no graph")
    reseal(copy)
    with pytest.raises(ModelFolderError, match=r"decoder\.onnx was not written by heedful"):
        load(copy)


def test_predict_prints_and_writes_translations(home, model, tmp_path, capsys):
    folder = str(home / "model")
    assert main(["predict", folder, "one two", "--beam", "1"]) == 0
    assert capsys.readouterr().out == f"{model.translate('one two', beam=1)}\tone two\n"
    assert main(["predict", folder, "one two", "--json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["translation"] == model.translate("one two") == tree["candidates"][0]["text"]
    out = tmp_path / "out.tsv"
    assert main(["predict", folder, str(home / "pairs.tsv"), "-o", str(out), "-q"]) == 0
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == ["en", "de", "predicted", "score"]
    assert len(lines) == 201


def test_evaluate_prints_bleu(home, capsys):
    assert main(["evaluate", str(home / "model"), str(home / "pairs.tsv"), "--beam", "1"]) == 0
    assert "BLEU" in capsys.readouterr().out


def test_explain_shows_the_alignment(home, model, tmp_path, capsys):
    folder = str(home / "model")
    assert main(["explain", folder, "one three"]) == 0
    assert str(model.explain("one three")).split("\n")[1] in capsys.readouterr().out
    assert main(["explain", folder, "one three", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == model.explain("one three").to_dict()
    for flag in ("html", "svg"):
        path = tmp_path / f"a.{flag}"
        assert main(["explain", folder, "one three", f"--{flag}", str(path)]) == 0
        assert "three" in path.read_text(encoding="utf-8")
    assert main(["explain", folder, "one three", "--flip"]) == 2
    assert "--flip is for models with labels" in capsys.readouterr().err


def test_a_beam_is_only_for_translators(tiny_folder, capsys):
    assert main(["predict", str(tiny_folder), "good", "--beam", "3"]) == 2
    assert "--beam is for translators; the task of tiny is classify" in capsys.readouterr().err
