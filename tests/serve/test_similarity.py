"""/similarity and /steps."""

from __future__ import annotations

import numpy as np
import pytest
from tests.serve.running import WORDS

from heedful.explain.similarity import explain_similarity
from heedful.explain.steps.self_attention_maps import looks_of
from heedful.explain.steps.steps import steps_of
from heedful.explain.steps.two_contexts import compare_word
from heedful.show.contexts.view import verdict
from heedful.show.similarity.view import reading
from heedful.show.steps.sentences import sentences

pytestmark = pytest.mark.slow

FIRST, SECOND = "the parcel came late", "my lovely sister on monday"


def close(found, right):
    """Return whether two answers are the same but for the last digits of numbers."""
    if isinstance(right, dict):
        return found.keys() == right.keys() and all(close(found[key], right[key]) for key in right)
    if isinstance(right, (list, tuple)):
        return len(found) == len(right) and all(map(close, found, right))
    return found == (pytest.approx(right, abs=1e-4, rel=1e-3) if isinstance(right, float) else right)


@pytest.mark.parametrize("name", ["en-tiny", "en-base", "encoder"])
def test_similarity_is_that_of_the_model(server, models, name):
    found = server.post("/similarity", {"model": name, "first": FIRST, "second": SECOND}).json
    assert found.pop("model") == name
    assert close(found, explain_similarity(models[name], FIRST, SECOND).to_dict())
    assert np.sum(found["matrix"]) == pytest.approx(found["similarity"], abs=1e-4)


def test_one_against_many_is_scores(server, models):
    many = [SECOND, FIRST, "late", ""]
    found = server.post("/similarity", {"model": "en-base", "first": FIRST, "second": many}).json
    rows = models["en-base"].embed([FIRST, *many], normalize=True)
    assert found["scores"] == pytest.approx((rows[1:] @ rows[0]).tolist(), abs=1e-5)
    assert found["scores"][1] == pytest.approx(1, abs=1e-5)


def test_the_first_model_that_can_is_taken(server):
    assert server.post("/similarity", {"first": FIRST, "second": SECOND}).json["model"] == "encoder"


@pytest.mark.parametrize(
    "asked",
    [
        {"first": FIRST},
        {"second": SECOND},
        {"first": [FIRST], "second": SECOND},
        {"first": FIRST, "second": []},
        {"first": FIRST, "second": [1]},
        {"first": FIRST, "second": SECOND, "model": "tiny"},
        {"first": FIRST, "second": SECOND, "form": "gif"},
        {"first": FIRST, "second": ["a"] * 3000},
    ],
    ids=lambda asked: str(asked)[:60],
)
def test_what_does_not_fit_is_refused(server, asked):
    found = server.post("/similarity", asked)
    assert found.status == 400
    assert found.error["message"]


@pytest.mark.parametrize("form", ["svg", "png", "html"])
def test_a_picture_of_scores_is_refused(server, form):
    found = server.post("/similarity", {"first": FIRST, "second": [SECOND], "form": form})
    assert (found.status, found.error["param"]) == (400, "form")


@pytest.mark.parametrize("first", ["", "\x00", "😀"])
def test_odd_texts_are_alike_or_not(server, first):
    found = server.post("/similarity", {"model": "en-tiny", "first": first, "second": ""})
    assert found.status == 200 or found.error["message"]


def test_steps_are_those_of_the_model(server, models):
    model = models["en-tiny"]
    found = server.post("/steps", {"model": "en-tiny", "text": FIRST, "word": "late", "layer": 2, "head": 3}).json
    looks = looks_of(model, FIRST).to_dict()
    assert close(found.pop("looks"), looks["weights"])
    assert close(found.pop("words"), looks["words"])
    assert found.pop("model") == "en-tiny"
    expected = steps_of(model, FIRST, word="late", layer=2, head=3).to_dict()
    assert close(found, {name: value for name, value in expected.items() if name not in ("words", "model", "looks")})


def test_a_word_in_two_texts_is_compared(server, models):
    other = "late in the town"
    asked = {"model": "en-tiny", "text": FIRST, "compare": other, "word": "late"}
    found = server.post("/steps", asked).json
    assert close(found, compare_word(models["en-tiny"], FIRST, other, word="late").to_dict())


def test_the_nth_of_equal_words_is_followed(server):
    text = "the parcel and the sister"
    asked = {"model": "en-tiny", "text": text, "word": "the", "view": True}
    first, second = (server.post("/steps", {**asked, "nth": n}).json for n in (1, 2))
    assert [text[: found["tokens"][found["token"]]["start"]] for found in (first, second)] == ["", "the parcel and "]
    row = second["token"]
    assert second["weights"] == pytest.approx(second["matrix"][row], abs=1e-5)
    assert first["weights"] != pytest.approx(second["weights"], abs=1e-3)
    assert "3" in server.post("/steps", {**asked, "nth": 3}).error["message"]


def test_a_view_is_sent_where_it_is_asked_for(server, models):
    body = {"model": "en-tiny", "first": FIRST, "second": SECOND}
    found = server.post("/similarity", {**body, "view": True}).json
    view, own = found["view"], explain_similarity(models["en-tiny"], FIRST, SECOND)
    assert view["reading"] == reading(own)
    assert [len(side["shades"]) for side in view["texts"]] == [len(words) for words in own.words]
    assert np.sum(view["grid"]["parts"]) == pytest.approx(own.score, abs=1e-4)
    assert np.sign(view["by_first"])[np.abs(view["by_first"]) > 0.2] == pytest.approx(
        np.sign(own.matrix)[np.abs(view["by_first"]) > 0.2]
    )
    assert 0 < np.abs(view["by_second"]).max() <= 1
    assert "grid" not in server.post("/similarity", {**body, "second": "", "view": True}).json["view"]
    assert "view" not in server.post("/similarity", body).json


def test_the_view_of_steps_has_the_words_of_the_command(server, models):
    asked = {"model": "en-tiny", "text": FIRST, "word": "late", "view": True}
    view, own = server.post("/steps", asked).json["view"], steps_of(models["en-tiny"], FIRST, word="late")
    assert [each["title"] for each in view["stages"][:6]] == [title for title, _ in sentences(own).values()]
    assert view["stages"][1]["text"] == sentences(own)[2][1]
    both = server.post("/steps", {**asked, "compare": "late in the town"}).json["view"]
    assert both["verdict"] == verdict(compare_word(models["en-tiny"], FIRST, "late in the town", word="late"))


@pytest.mark.parametrize("more", [{}, {"compare": "late in the town", "word": "late"}], ids=["one", "two"])
def test_steps_have_a_page(server, more):
    found = server.post("/steps", {"model": "en-tiny", "text": FIRST, "form": "html", **more})
    assert (found.status, found.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in found.headers["content-security-policy"]


@pytest.mark.parametrize(
    "asked",
    [
        {"text": FIRST, "word": "tulip"},
        {"text": FIRST, "layer": 9},
        {"text": FIRST, "head": 99},
        {"text": FIRST, "head": 0},
        {"text": FIRST, "layer": 10**30},
        {"text": FIRST, "compare": SECOND, "word": "late"},
        {"text": ""},
        {"text": FIRST, "form": "svg"},
        {"text": FIRST, "model": "en-base"},
    ],
    ids=lambda asked: str(asked)[:60],
)
def test_steps_that_cannot_be_shown_are_refused(server, asked):
    found = server.post("/steps", {"model": "en-tiny", **asked})
    assert found.status == 400
    assert found.error["message"]


def test_the_longest_text_that_is_read_is_stepped_through(server):
    found = server.post("/steps", {"model": "en-tiny", "text": " ".join([WORDS] * 30)})
    assert found.status == 200
    assert len(found.json["looks"][0][0]) <= 128
