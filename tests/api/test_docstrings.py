"""Every public name has a docstring with its parameters, returns, raises and an example that runs."""

from __future__ import annotations

import doctest
import inspect
import textwrap

import pytest
from tests.api.docstring_sections import entries, sections
from tests.api.doctest_world import make_world
from tests.api.public_objects import CALLABLES, CLASSES, ESTIMATORS, MEMBERS, RESULT_CLASSES, field_names

import heedful
from heedful import errors
from heedful.runtime.public_names import MODELS

EXCEPTIONS = {name for name, value in vars(errors).items() if inspect.isclass(value)} | {"ValueError"}
DESCRIBED = {**CALLABLES, **CLASSES}
# Methods that raise nothing of ours whatever they are given.
NO_RAISES = {
    *(f"{name}.to_dict" for name in RESULT_CLASSES), *(f"{name}.to_html" for name in RESULT_CLASSES),
    *(f"{name}.to_svg" for name in RESULT_CLASSES), *(f"{name}.top" for name in RESULT_CLASSES),
    "PairExplanation.top_pairs", "TagExplanation.contributions_of", "SentenceEncoder.get_feature_names_out",
}  # fmt: skip


@pytest.mark.parametrize("name", CALLABLES)
def test_all_parameters_are_described_and_no_others(name):
    named = [
        parameter for parameter in inspect.signature(CALLABLES[name]).parameters if parameter not in ("self", "cls")
    ]
    described = entries(sections(CALLABLES[name]).get("Args", []))
    assert sorted(described) == sorted(named)


@pytest.mark.parametrize("name", CALLABLES)
def test_results_and_exceptions_are_described(name):
    parts = sections(CALLABLES[name])
    assert parts["Summary"] and parts["Summary"][0].endswith(".")
    returns_nothing = inspect.signature(CALLABLES[name]).return_annotation in (None, "None")
    assert ("Returns" in parts) != returns_nothing
    assert ("Raises" in parts) != (name in NO_RAISES)
    assert set(entries(parts.get("Raises", []))) <= EXCEPTIONS


@pytest.mark.parametrize("name", DESCRIBED)
def test_there_is_an_example(name):
    examples = doctest.DocTestParser().get_examples("\n".join(sections(DESCRIBED[name]).get("Example", [])))
    assert examples
    assert not any(doctest.SKIP in example.options for example in examples)


@pytest.mark.parametrize("name", RESULT_CLASSES)
def test_all_fields_of_a_result_are_described(name):
    assert entries(sections(RESULT_CLASSES[name])["Attributes"]) == field_names(RESULT_CLASSES[name])


@pytest.mark.parametrize("name", ESTIMATORS)
def test_all_parameters_of_an_estimator_are_described(name):
    assert sorted(entries(sections(ESTIMATORS[name])["Args"])) == sorted(ESTIMATORS[name]._get_param_names())


@pytest.mark.parametrize("name", [name for name in MEMBERS if name not in CALLABLES])
def test_a_property_has_a_sentence(name):
    kind, member = name.split(".")
    value = MEMBERS[name]
    if value is None or not hasattr(value, "__get__"):  # an attribute
        assert any(member in entries(sections(base).get("Attributes", [])) for base in CLASSES[kind].__mro__)
    else:
        assert inspect.getdoc(value)


def test_the_public_names_of_a_class_exist():
    missing = [name for name, value in MEMBERS.items() if value is None]
    assert {name.partition(".")[2] for name in missing} <= {"config", "path", "verdict"}


def test_functions_of_heedful_are_complete():
    assert {name.partition(".")[2] for name in CALLABLES if name.startswith("heedful.")} >= {
        "load", "train", "evaluate", "audit", "distill", "pretrain",
    }  # fmt: skip
    assert set(MODELS) <= set(heedful.__all__)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    return folder, make_world(folder)


def sources():
    """Return the module and the classes and functions whose docstrings have examples, each once."""
    docs = {"heedful": heedful.__doc__, **{name: inspect.getdoc(thing) for name, thing in DESCRIBED.items()}}
    return {text: name for name, text in reversed(docs.items())}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(sources().values()))
def test_the_example_runs(world, name, monkeypatch):
    folder, names = world
    monkeypatch.chdir(folder)
    text = next(text for text, source in sources().items() if source == name)
    test = doctest.DocTestParser().get_doctest(textwrap.dedent(text), dict(names), name, None, 0)
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    runner.run(test, out=report.append)
    assert not runner.summarize(verbose=False).failed, "".join(report)


def test_a_docstring_that_is_wrong_is_noticed():
    def function(first, second):
        """Do something.

        Args:
            first: a text.
            third: a text.
        """

    described = entries(sections(function)["Args"])
    assert described == ["first", "third"] != list(inspect.signature(function).parameters)
