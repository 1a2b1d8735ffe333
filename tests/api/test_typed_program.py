"""A user's program passes `mypy --strict`, mistakes in it are reported, and public names are typed."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import typing
from pathlib import Path

import pytest
from tests.api import settings_source
from tests.api.public_objects import CALLABLES, METHODS

import heedful

PROGRAMS = Path(__file__).parent / "typed"
pytest.importorskip("mypy")

# Public functions whose parameters or results are `Any`, and why. So is `Model.__getattr__`: the class of a model from
# `load` or `train` is known when it is read. `Classifier.load` and `isinstance` give its type.
RESULT_IS_ANY = {
    "embed": "the dtype of an array is float32 or int8",
    "encode": "the dtype of an array; a torch tensor with convert_to_tensor, and torch may not be installed",
    "encode_document": "as encode",
    "encode_query": "as encode",
    "similarity": "a tensor of tensors, and torch may not be installed",
    "predict_proba": "the dtype of an array",
    "scores": "the dtype of an array: float32, or float64 for numbers",
    "to_dict": "plain values of JSON",
    "predict": "the dtype of an array of labels is that of y",
    "transform": "the dtype of an array is float32 or int8",
    "get_feature_names_out": "an array of objects, as scikit-learn asks for",
}
PARAMETER_IS_ANY = {
    "texts": "texts, tables, paths, arrays, molecules and graphs; overloads say more",
    "pairs": "pairs and tables; overloads say more",
    "first": "texts, arrays and tensors; overloads say more",
    "second": "texts, arrays and tensors; overloads say more",
    "rows": "cells of a table",
    "y": "scikit-learn passes anything",
    "input_features": "scikit-learn passes anything",
}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The lines that mypy prints about both programs."""
    cache = tmp_path_factory.mktemp("mypy")
    source = Path(heedful.__file__).parents[1]
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", f"--cache-dir={cache}"]
    command += ["--ignore-missing-imports", "--config-file=", str(PROGRAMS / "right.py"), str(PROGRAMS / "wrong.py")]
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=cache, env={"MYPYPATH": str(source), "PATH": ""}
    )
    assert run.returncode in (0, 1), run.stdout + run.stderr
    return run.stdout.splitlines()


@pytest.mark.slow
def test_a_right_program_has_no_errors(report):
    assert [line for line in report if "right.py" in line] == []


@pytest.mark.slow
def test_every_mistake_is_reported(report):
    lines = (PROGRAMS / "wrong.py").read_text(encoding="utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, start=1) if line.endswith("# wrong")}
    assert len(wrong) == 8
    assert {int(line.split(":")[1]) for line in report if "wrong.py" in line and ": error:" in line} == wrong


@pytest.mark.slow
def test_the_report_names_the_misspelt_setting(report):
    assert any('"epoch"' in line for line in report)
    assert any("bilstm" in line and "lstm" in line for line in report)


def test_the_package_says_that_it_is_typed():
    assert Path(heedful.__file__).with_name("py.typed").is_file()


def test_settings_are_those_of_the_source():
    assert settings_source.TARGET.read_text(encoding="utf-8") == settings_source.source()


@pytest.mark.parametrize("name", CALLABLES)
def test_nothing_is_any_that_need_not_be(name):
    function = CALLABLES[name]
    short = name.rpartition(".")[2]
    signatures = [inspect.signature(each) for each in typing.get_overloads(function)] or [inspect.signature(function)]
    for signature in signatures:
        for parameter in signature.parameters.values():
            assert parameter.annotation is not inspect.Parameter.empty or parameter.name in ("self", "cls")
            assert not has_any(parameter.annotation) or parameter.name in PARAMETER_IS_ANY, parameter
        assert signature.return_annotation is not inspect.Signature.empty
        assert not has_any(signature.return_annotation) or short in RESULT_IS_ANY


def has_any(annotation: object) -> bool:
    return re.search(r"\bAny\b", str(annotation)) is not None


def test_reasons_are_of_names_that_exist():
    assert set(RESULT_IS_ANY) <= {name.rpartition(".")[2] for name in METHODS}
