"""Molecules from a file to a model that answers and explains."""

from __future__ import annotations

import csv
import json
import subprocess
import sys

import numpy as np
import pytest

import heedful
from heedful.errors import ConfigError, DataError, HeedfulError, ModelFolderError

pytest.importorskip("rdkit.Chem")
SMALL = {"input": "molecule", "units": 16, "inner_units": 16, "n_hops": 2, "dropout": 0.0, "row_units": 4, "epochs": 8}
SMILES = [
    f"{'C' * i}{middle}{'C' * j}{end}" for i in (1, 2, 3) for middle in ("", "C(C)") for j in (0, 1, 2) for end in "ON"
]


def write(path, rows, columns=("smiles", "kind")):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


def labelled():
    return [(smiles, "alcohol" if smiles.endswith("O") else "amine") for smiles in SMILES] * 5


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("molecules")
    return heedful.train(write(folder / "train.csv", labelled()), folder / "model", **SMALL)


def test_a_kind_of_molecule_is_learned_and_the_atom_that_makes_it_is_looked_at(model):
    new = "CCCCCCO"
    assert new not in SMILES
    assert model.predict([new, "CCCCCCN"]) == ["alcohol", "amine"]
    found = model.explain(new)
    assert (found.kind, found.source, found.text) == ("molecule", new, new)
    assert [word.text for word in found.words] == list(new)
    assert int(np.argmax(model.explain(new, methods="leave-one-out").left_out)) == 6
    added = found.contributions_to("alcohol")
    assert int(np.argmax(added)) == 6 and added[6] > 0 and found.top(1)[0][0] == "O"
    np.testing.assert_allclose(found.bias + found.contributions.sum(axis=0), model.scores([new])[0], atol=1e-5)
    assert int(np.argmax(model.explain("CCCCCCN").contributions_to("amine"))) == 6


def test_a_loaded_model_answers_the_same(model):
    other = heedful.load(model.path)
    assert other.featuriser.shape == model.featuriser.shape
    np.testing.assert_array_equal(other.explain("CCO").weights, model.explain("CCO").weights)


def test_padding_and_company_change_nothing(model):
    alone = model.explain("CO").probabilities["alcohol"]
    together = model.predict_proba(["CO", "CCCCCCCCCCCCN"])
    assert together[0][list(model.labels).index("alcohol")] == pytest.approx(alone, abs=1e-5)


def test_the_picture_is_of_the_structure(model):
    assert "Strongest" in model.explain("CCO").to_svg()


def test_the_page_shows_the_structure_and_its_policy_lets_it(model):
    source = model.explain("CCO").to_html()
    assert 'src="data:image/svg+xml;base64,' in source
    assert "default-src 'none'; img-src data:;" in source


def test_what_is_no_molecule_is_refused(model):
    with pytest.raises(HeedfulError, match="cannot be parsed as SMILES"):
        model.predict(["CCO("])


def test_running_needs_no_torch_and_loading_no_rdkit(model):
    code = (
        "import sys, heedful; m = heedful.load(sys.argv[1]); assert 'rdkit' not in sys.modules; "
        "print(m.predict(['CCO'])); assert 'torch' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code, str(model.path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "alcohol" in done.stdout


def test_a_row_that_is_no_molecule_is_named_or_left_out(tmp_path):
    rows = [*labelled(), ("C1CC", "amine")]
    path = write(tmp_path / "train.csv", rows)
    with pytest.raises(DataError, match=rf"line {len(rows) + 1}: 'C1CC' cannot be parsed as SMILES: unclosed ring"):
        heedful.train(path, tmp_path / "model", **SMALL)
    model = heedful.train(path, tmp_path / "model", **{**SMALL, "epochs": 1}, skip_bad=True)
    assert model.labels == ("alcohol", "amine")


@pytest.mark.parametrize("reach", ["neighbours", "all"])
def test_what_stands_around_an_atom_is_learned_kept_and_explained(tmp_path, reach):
    settings = {**SMALL, "surroundings": 2, "min_count": 2, "embed_width": 8, "reach": reach}
    model = heedful.train(write(tmp_path / "train.csv", labelled()), tmp_path / "model", **settings)
    assert model.featuriser.surroundings.bonds == 2 and "surroundings" in model.featuriser.shape.names
    assert model.predict(["CCCCCCO", "CCCCCCN"]) == ["alcohol", "amine"]
    found = model.explain("CCCCCCO", methods=["leave-one-out", "gradient"])
    assert len(found.words) == 7 and np.isfinite(found.left_out).all()
    other = heedful.load(model.path)
    assert other.featuriser.shape == model.featuriser.shape
    np.testing.assert_array_equal(other.predict_proba(["CCO"]), model.predict_proba(["CCO"]))


def test_a_folder_with_the_surroundings_of_another_model_is_refused(tmp_path, reseal):
    settings = {**SMALL, "surroundings": 1, "min_count": 1, "epochs": 1}
    path = heedful.train(write(tmp_path / "train.csv", labelled()), tmp_path / "model", **settings).path
    kept = json.loads((path / "input.json").read_text(encoding="utf-8"))
    kept["surroundings"]["known"] += [1, 2, 3]
    (path / "input.json").write_text(json.dumps(kept), encoding="utf-8")
    reseal(path)
    with pytest.raises(ModelFolderError, match=r"model\.onnx does not fit"):
        heedful.load(path)


def test_atoms_may_look_at_all(tmp_path):
    settings = {**SMALL, "reach": "all", "epochs": 1}
    model = heedful.train(write(tmp_path / "train.csv", labelled()), tmp_path / "model", **settings)
    assert model.config.model.encoder == "transformer" and model.featuriser.shape.names == ("vectors",)
    assert model.explain("CCO").overall.sum() == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"encoder": "bilstm"}, "encoder bilstm needs reach all, found neighbours"),
        ({"encoder": "neighbours", "reach": "all"}, "encoder neighbours needs reach neighbours, found all"),
        (
            {"input": "text", "text": "smiles", "start": "none", "encoder": "bilstm", "count": True},
            "count is for inputs other than texts",
        ),
        (
            {"input": "text", "text": "smiles", "start": "none", "encoder": "bilstm", "whole": True},
            "whole is for inputs other than texts",
        ),
        (
            {"input": "text", "text": "smiles", "start": "none", "encoder": "bilstm", "surroundings": 2},
            "surroundings is for input molecule",
        ),
        ({"n_heads": 3}, "model.units is 16, which 3 heads cannot share evenly"),
    ],
)
def test_layers_that_do_not_fit_are_refused(tmp_path, settings, reason):
    with pytest.raises(ConfigError, match=reason):
        heedful.train(write(tmp_path / "train.csv", labelled()), tmp_path / "model", **{**SMALL, **settings})


def test_a_number_is_learned(tmp_path):
    rows = [(smiles, len(smiles) / 2) for smiles in SMILES] * 5
    path = write(tmp_path / "train.csv", rows, ("smiles", "size"))
    model = heedful.train(path, tmp_path / "model", task="regress", count=True, **{**SMALL, "epochs": 2})
    assert isinstance(model.predict(["CCO"])[0], float)


def test_figures_and_facts_are_said_of_molecules(model, capsys):
    from heedful.cli.main import main

    main(["evaluate", str(model.path), str(model.path.parent / "train.csv")])
    main(["info", str(model.path)])
    said = capsys.readouterr().out
    assert f"{len(labelled()):,} molecules" in said
    assert "texts" not in said
    assert "tokens" not in said
