"""`heedful explain` and `heedful audit`, as a person calls them."""

from __future__ import annotations

import json
import shutil

import pytest
from tests.conftest import train_tiny

from heedful import load
from heedful.cli.main import main
from heedful.explain.attention.flip import find_flip

TEXT = "the parcel was great and lovely"


@pytest.fixture
def texts_file(tmp_path, examples, write_csv):
    return write_csv(tmp_path / "texts.csv", examples(30, seed=5))


def said(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture(scope="module")
def pruned_folder(tmp_path_factory):
    """A model whose head is not linear: it has no contributions."""
    return train_tiny(tmp_path_factory.mktemp("pruned") / "pruned", head="pruned")


def test_explain_shows_what_each_word_adds(tiny_folder, tiny_model, capsys):
    code, out, _ = said(capsys, "explain", tiny_folder, TEXT)
    assert code == 0
    explanation = tiny_model.explain(TEXT)
    added = explanation.contributions_to()
    best = explanation.words[int(added.argmax())].text
    assert added.max() > 0.01 and f"for {tiny_model.predict(TEXT)}: {best} {added.max():+.2f}" in " ".join(out.split())
    column = tiny_model.labels.index(explanation.label)
    parts = (explanation.scores[column], explanation.bias[column], added.sum())
    assert "score {:+.2f} = bias {:+.2f} + words {:+.2f}".format(*parts).replace("-", "−") in out
    assert "leave-one-out" not in out
    assert "Not audited" in out


def test_leave_one_out_is_shown_if_asked_for_and_without_contributions(tiny_folder, tiny_model, pruned_folder, capsys):
    _, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--methods", "leave-one-out")
    assert f"leave-one-out, for {tiny_model.predict(TEXT)}" in out and "= bias" in out
    _, out, _ = said(capsys, "explain", pruned_folder, TEXT)
    assert f"leave-one-out, for {load(pruned_folder).predict(TEXT)}" in out and "= bias" not in out


def test_json_has_effects_and_the_verdict(tiny_folder, capsys):
    methods = "leave-one-out,gradient,integrated"
    code, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--json", "--methods", methods, "--label", "bad")
    tree = json.loads(out)
    assert code == 0
    assert tree["target"] == "bad"
    assert {"weight", "leave_one_out", "gradient", "integrated"} <= set(tree["words"][0])
    assert tree["verdict_level"] == "not audited"


def test_attention_alone_has_no_effects(tiny_folder, capsys):
    _, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--json", "--methods", "attention")
    assert "leave_one_out" not in json.loads(out)["words"][0]


def test_flip_is_a_plain_sentence(tiny_folder, tiny_model, capsys):
    found = find_flip(tiny_model, TEXT)
    assert found.words
    _, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--flip")
    assert found.sentence in " ".join(out.split())
    _, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--flip", "--json")
    assert json.loads(out)["flip"] == found.to_dict()


def test_one_hop_can_be_chosen(tiny_folder, tiny_model, capsys, tmp_path):
    code, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--hop", "2")
    assert code == 0
    assert "read in hop 2:" in " ".join(out.split())
    _, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--hop", "2", "--json")
    tree = json.loads(out)
    assert (tree["hop"], len(tree["hops"])) == (2, 1)
    assert tree["hops"][0] == pytest.approx(tiny_model.explain(TEXT).weights[1].tolist(), abs=1e-5)
    for kind in ("html", "svg"):
        said(capsys, "explain", tiny_folder, TEXT, "--hop", "2", f"--{kind}", tmp_path / f"hop.{kind}")
        assert "hop 2" in (tmp_path / f"hop.{kind}").read_text(encoding="utf-8")
    code, _, err = said(capsys, "explain", tiny_folder, TEXT, "--hop", "4")
    assert code == 2
    assert "hops 1 to 3" in err


def test_an_empty_text_is_a_text(tiny_folder, capsys):
    code, out, _ = said(capsys, "explain", tiny_folder, "", "--flip")
    assert code == 0
    assert "There are no words" in out


def test_without_colours_each_hop_is_told_in_words(tiny_folder, capsys):
    _, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--hops")
    assert out.count(TEXT) == 1
    assert all(f"hop {i}: " in out for i in (1, 2, 3))


def test_what_each_hop_adds_is_told_beside_it(tiny_folder, tiny_model, capsys):
    _, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--hops", "--label", "good")
    explanation = tiny_model.explain(TEXT, label="good")
    added = explanation.hop_contributions_to("good")
    assert added_by_hops(out) == pytest.approx(added.tolist(), abs=0.0051)
    column = explanation.labels.index("good")
    assert explanation.bias[column] + added.sum() == pytest.approx(explanation.scores[column], abs=1e-5)
    _, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--json", "--label", "good")
    assert json.loads(out)["hop_contributions"] == pytest.approx(added.tolist(), abs=1e-5)
    assert json.loads(out)["hop_effects"] is None
    _, out, _ = said(capsys, "explain", tiny_folder, TEXT, "--json", "--label", "good", "--methods", "leave-one-out")
    effects = tiny_model.explain(TEXT, label="good", methods="leave-one-out").hop_effects
    assert json.loads(out)["hop_effects"] == pytest.approx(effects.tolist(), abs=1e-5)


def test_without_contributions_the_effect_of_each_hop_is_told(pruned_folder, capsys):
    _, out, _ = said(capsys, "explain", pruned_folder, TEXT, "--hops", "--label", "good")
    effects = load(pruned_folder).explain(TEXT, label="good").hop_effects
    assert added_by_hops(out) == pytest.approx(effects.tolist(), abs=0.0051)
    _, out, _ = said(capsys, "explain", pruned_folder, TEXT, "--hops", "--methods", "attention")
    assert "hop 3: " in out and "adds" not in out


def added_by_hops(out):
    """Return what the terminal says that each hop adds."""
    lines = [line for line in out.splitlines() if line.startswith("  hop ")]
    assert len(lines) == 3
    return [float(line.split("adds ")[1].split(";")[0].replace("−", "-")) for line in lines]


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_picture_is_written(tiny_folder, capsys, tmp_path, kind):
    code, _, err = said(capsys, "explain", tiny_folder, TEXT, f"--{kind}", tmp_path / f"x.{kind}")
    assert code == 0
    assert f"x.{kind}" in err
    start = (tmp_path / f"x.{kind}").read_bytes()[:8]
    assert start.startswith(b"<svg" if kind == "svg" else b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([TEXT, "--methods", "gradeint"], "Did you mean gradient?"),
        ([TEXT, "--label", "goood"], "Did you mean good?"),
        ([TEXT, "--html", "x.html", "--json"], "give one of"),
        ([TEXT, "another text", "--svg", "x.svg"], "a picture shows one text, found 2"),
        ([TEXT, "--png", "no/such/folder/x.png"], "cannot be written"),
    ],
)
def test_faults_are_one_message(tiny_folder, capsys, arguments, message):
    code, _, err = said(capsys, "explain", tiny_folder, *arguments)
    assert code == 2
    assert message in err


def test_attention_alone_has_no_label_to_choose(pruned_folder, tiny_folder, capsys):
    arguments = (TEXT, "--methods", "attention", "--label", "good")
    code, _, err = said(capsys, "explain", pruned_folder, *arguments)
    assert code == 2
    assert "attention has none" in err
    assert said(capsys, "explain", tiny_folder, *arguments)[0] == 0  # its contributions have one


def test_audit_says_what_came_out_and_later_heatmaps_carry_it(tiny_copy, texts_file, capsys, tmp_path):
    code, out, err = said(capsys, "audit", tiny_copy, texts_file, "--html", tmp_path / "audit.html")
    assert code == 0
    assert "chance" in out
    assert "every heatmap of this model now carries the verdict" in err
    assert "<svg" in (tmp_path / "audit.html").read_text(encoding="utf-8")
    verdict = json.loads((tiny_copy / "audit.json").read_text(encoding="utf-8"))["verdict"]["words"]
    _, out, _ = said(capsys, "explain", tiny_copy, TEXT)
    assert " ".join(verdict.split()) in " ".join(out.split())
    _, out, _ = said(capsys, "info", tiny_copy, "--json")
    assert json.loads(out)["verdict"]["words"] == verdict


def test_audit_as_json_keeps_nothing_where_asked(tiny_copy, texts_file, capsys):
    code, out, _ = said(capsys, "audit", tiny_copy, texts_file, "--json", "--no-keep", "--texts", "12", "-q")
    tree = json.loads(out)
    assert code == 0
    assert (tree["n_texts"], set(tree["methods"])) == (
        12,
        {"contributions", "attention", "leave-one-out", "gradient", "integrated", "random"},
    )
    assert tree["subject"] == "contributions"
    assert set(tree["recovered"]) == {"contributions", "attention", "gradient", "integrated"}
    assert not (tiny_copy / "audit.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such.csv"], "no-such.csv"),
        (["{file}", "--texts", "-1"], "--texts is -1"),
        (["{file}", "--label", "labl"], "no column 'labl'"),
        (["{file}", "--text", "txt"], "txt"),
    ],
)
def test_an_audits_faults_are_one_message(tiny_copy, texts_file, capsys, arguments, message):
    code, _, err = said(capsys, "audit", tiny_copy, *(a.format(file=texts_file) for a in arguments))
    assert code == 2
    assert message in err
    assert len(err.splitlines()) == 1


def test_training_again_forgets_the_audit(tiny_copy, texts_file, capsys, tmp_path, reseal):
    said(capsys, "audit", tiny_copy, texts_file, "-q")
    other = train_tiny(tmp_path / "other", seed=5)
    shutil.copy(other / "model.onnx", tiny_copy / "model.onnx")
    reseal(tiny_copy)
    assert "changed since" in load(tiny_copy).verdict.words
