"""/explain, and its pictures."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from tests.conftest import TINY
from tests.page_reader import Reader
from tests.serve.running import WORDS, Running

from heedful.config import Config
from heedful.data.example import Example, TwoTexts
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load
from heedful.serve.routes import views
from heedful.show.heatmaps.waterfall import waterfall

pytestmark = pytest.mark.slow

TEXT = "the best parcel came on monday"


def close(found, right):
    """Return whether two explanations are the same but for the last digits of numbers."""
    if isinstance(right, dict):
        return found.keys() == right.keys() and all(close(found[key], right[key]) for key in right)
    if isinstance(right, (list, tuple)):
        return len(found) == len(right) and all(map(close, found, right))
    return found == (pytest.approx(right, abs=1e-5, rel=1e-4) if isinstance(right, float) else right)


def explained(server, **asked):
    found = server.post("/explain", asked)
    assert found.status == 200, found
    return found.json["data"]


@pytest.mark.parametrize("name", ["tiny", "many", "price"])
def test_explanations_are_those_of_the_model(server, models, name):
    texts = [TEXT, "late 😀 and lovely", ""]
    found = explained(server, model=name, input=texts)
    assert [each.pop("index") for each in found] == [0, 1, 2]
    assert close(found, [each.to_dict() for each in models[name].explain(texts)])


def test_a_tagger_and_a_model_of_pairs_explain_too(server, models):
    (found,) = explained(server, model="tagger", input="Kim saw Oslo")
    assert close(found, {"index": 0, **models["tagger"].explain("Kim saw Oslo").to_dict()})
    (found,) = explained(server, model="pair", input=[["a late parcel", "it was late"]])
    expected = models["pair"].explain([TwoTexts("a late parcel", "it was late")])[0].to_dict()
    assert close(found, {"index": 0, **expected})


def test_a_bilinear_model_of_pairs_gives_its_sums(tmp_path):
    pairs = [Example(TwoTexts("a late parcel", "it was late"), label) for label in ("same", "other")] * 10
    settings = {**TINY, "task": "pair", "start": "none", "head": "bilinear", "gate_units": 8, "epochs": 1}
    train_model(Config().with_given(**settings), tmp_path / "sums", examples=(pairs, pairs))
    model, texts = load(tmp_path / "sums", threads=1), ["a late parcel", "late"]
    with Running(tmp_path / "sums") as server:
        (found,) = explained(server, input=[texts], label="same")
        page = server.post("/explain", {"input": [texts], "form": "html"})
        checked = explained(server, input=[texts], methods=["leave-one-out"])[0]
    assert close(found, {"index": 0, **model.explain([TwoTexts(*texts)], label="same")[0].to_dict()})
    words = [word for text in found["texts"] for word in text["words"]]
    total = found["bias"]["same"] + sum(word["contribution"] for word in words)
    assert total == pytest.approx(found["scores"]["same"], abs=1e-5)
    assert not any("leave_one_out" in word for word in words)
    assert all("leave_one_out" in word for text in checked["texts"] for word in text["words"])
    assert "= bias" in Reader(page.body.decode()).text


def test_without_methods_there_are_only_weights(server):
    (found,) = explained(server, model="tiny", input=TEXT, methods=[])
    assert {word.get("leave_one_out") for word in found["words"]} == {None}
    assert sum(word["weight"] for word in found["words"]) == pytest.approx(1)


def test_effects_are_for_the_label_asked_about(server, models):
    for label in ("good", "bad"):
        (found,) = explained(server, model="tiny", input=TEXT, label=label)
        assert found["target"] == label
        assert close(found, {"index": 0, **models["tiny"].explain(TEXT, label=label).to_dict()})


@pytest.mark.parametrize(
    "asked", [{"methods": ["magic"]}, {"label": "ugly"}, {"form": "pdf"}, {"methods": "all"}, {"methods": ["a"] * 5}]
)
def test_what_is_not_known_is_refused(server, asked):
    found = server.post("/explain", {"model": "tiny", "input": TEXT, **asked})
    assert found.status == 400
    assert found.error["message"]


@pytest.mark.parametrize("name", ["tiny", "many", "price"])
def test_a_view_has_the_contributions_to_each_label_as_a_waterfall(server, models, name):
    (found,) = explained(server, model=name, input=TEXT, methods=[], view=True)
    right = models[name].explain(TEXT)
    assert found["view"]["contributions"].keys() == set(right.labels)
    for label, drawn in found["view"]["contributions"].items():
        fall = waterfall(right, label)
        bars = [
            (bar["kind"], bar["name"], bar["number"], bar["sign"], bar["words"]) for bar in drawn["waterfall"]["bars"]
        ]
        assert bars == [(bar.kind, bar.name, bar.number, bar.sign, list(bar.words)) for bar in fall.bars]
        places = [(bar["left"], bar["width"]) for bar in drawn["waterfall"]["bars"]]
        assert close(places, [(bar.left, bar.width) for bar in fall.bars])
        assert (drawn["waterfall"]["result"], drawn["waterfall"]["account"]) == (fall.result, fall.account)
        assert close(drawn["hops"], right.hop_contributions_to(label).tolist())
        assert len(drawn["shades"]) == len(right.words)


def test_contributions_to_many_labels_are_limited_to_the_target_and_the_most_probable(models, monkeypatch):
    model = models["tiny"]
    explanation = model.explain(TEXT, label=min(model.labels, key=model.explain(TEXT).probabilities.get))
    monkeypatch.setattr(views, "MOST_CELLS", len(explanation.words))
    values = views.explanation_values(explanation)
    assert values["contributions"].keys() == {explanation.target}
    assert values["scores"].keys() == set(model.labels)
    assert views.explanation_view(explanation)["contributions"].keys() == {explanation.target}


def test_gradients_may_be_asked_for(server, models):
    (found,) = explained(server, model="tiny", input=TEXT, methods=["gradient"])
    assert close(found, {"index": 0, **models["tiny"].explain(TEXT, methods=["gradient"]).to_dict()})


def test_a_long_text_gets_weights_and_a_note(server):
    texts = [TEXT, WORDS + " " + " ".join([WORDS] * 3)]
    short, long = explained(server, model="tiny", input=texts, methods=["leave-one-out"])
    assert not any("Leave-one-out" in note for note in short["notes"])
    assert any("Leave-one-out was not done" in note for note in long["notes"])
    assert {word.get("leave_one_out") for word in long["words"]} == {None}
    assert all(word.get("leave_one_out") is not None for word in short["words"])


def test_the_note_is_in_the_page_and_the_picture_too(server):
    asked = {"model": "tiny", "input": " ".join([WORDS] * 4), "form": "html", "methods": ["leave-one-out"]}
    assert "Leave-one-out was not done" in server.post("/explain", asked).body.decode()


def test_an_encoder_is_not_explained_so(server):
    found = server.post("/explain", {"model": "en-tiny", "input": TEXT})
    assert (found.status, found.error["param"]) == (400, "model")


def test_too_many_texts_are_refused(server):
    found = server.post("/explain", {"model": "tiny", "input": ["a"] * 17, "methods": []})
    assert (found.status, found.error["code"]) == (400, "too_many_texts")
    assert "at most 16" in found.error["message"]


PICTURED = [
    ("/explain", {"model": "tiny", "input": TEXT}),
    ("/explain", {"model": "many", "input": TEXT}),
    ("/explain", {"model": "price", "input": TEXT}),
    ("/explain", {"model": "tagger", "input": "Kim saw Oslo"}),
    ("/explain", {"model": "pair", "input": [["a late parcel", "it was late"]]}),
    ("/similarity", {"model": "en-tiny", "first": TEXT, "second": "a lovely day"}),
]
IDS = ["tiny", "many", "price", "tagger", "pair", "similarity"]


def render(server, path, asked, form):
    found = server.post(path, {**asked, "form": form})
    if found.status == 400:  # this kind has no such picture, and says which it has
        assert found.error["param"] == "form"
        assert "html" in found.error["message"]
        return None
    assert found.status == 200, found
    policy = found.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert found.headers["x-content-type-options"] == "nosniff"
    return found


@pytest.mark.parametrize(("path", "asked"), PICTURED, ids=IDS)
def test_svg_is_well_formed(server, path, asked):
    if found := render(server, path, asked, "svg"):
        assert found.headers["content-type"] == "image/svg+xml"
        assert ElementTree.fromstring(found.body).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(("path", "asked"), PICTURED, ids=IDS)
def test_png_is_a_png(server, path, asked):
    if found := render(server, path, asked, "png"):
        assert found.headers["content-type"] == "image/png"
        assert found.body.startswith(b"\x89PNG\r\n\x1a\n")
        assert found.body.endswith(b"IEND\xaeB`\x82")


@pytest.mark.parametrize(("path", "asked"), PICTURED, ids=IDS)
def test_html_is_a_page(server, path, asked):
    found = render(server, path, asked, "html")
    assert found.headers["content-type"] == "text/html; charset=utf-8"
    assert found.body.startswith(b"<!doctype html>")
    assert Reader(found.body.decode()).text  # and its tags are closed in order


def test_a_picture_is_of_one_text(server):
    found = server.post("/explain", {"model": "tiny", "input": [TEXT, TEXT], "form": "svg"})
    assert (found.status, found.error["param"]) == (400, "input")


def test_a_text_in_a_picture_is_only_text(server):
    asked = {"model": "tiny", "input": "<script>alert(1)</script> & \"quotes' best"}
    for form in ("svg", "html"):
        found = render(server, "/explain", asked, form)
        assert b"<script>alert(1)" not in found.body
    ElementTree.fromstring(render(server, "/explain", asked, "svg").body)


@pytest.mark.parametrize("text", ["", " ", "\x00", "\x1b[31mred\x07", "a\u2028b\ufffe", "﷽" * 30, "\r\n"], ids=repr)
@pytest.mark.parametrize("form", ["json", "svg", "png", "html"])
def test_odd_texts_have_pictures_or_are_refused(server, text, form):
    found = server.post("/explain", {"model": "tiny", "input": text, "form": form})
    assert found.status == 200 or found.error["message"]
    if form == "svg" and found.status == 200:
        ElementTree.fromstring(found.body)
