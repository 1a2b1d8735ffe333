from __future__ import annotations

import json
import random
import shutil

import numpy as np
import pytest

from heedful.data.example import Row
from heedful.errors import DataError, HeedfulError
from heedful.search import rows as rows_module
from heedful.search.hit import Added
from heedful.search.index import Index

FOOD = "the food came late and cold"


def some_rows(n, *, seed=0):
    rng = random.Random(seed)
    words = ["food", "late", "cold", "dinner", "parcel", "sister", "wine", "bus", "station", "rain", "soup", "ticket"]
    return [
        {"id": f"r{i}", "text": " ".join(rng.choices(words, k=rng.randint(2, 9))), "stars": i % 5, "lang": "en"}
        for i in range(n)
    ]


@pytest.fixture
def index(tmp_path, encoder):
    made = Index.create(tmp_path / "index", encoder)
    made.add(some_rows(200))
    return made


def brute_force(encoder, rows, query, n):
    found = encoder.embed([row["text"] for row in rows], normalize=True) @ encoder.embed(query, normalize=True)
    return np.sort(found)[::-1][:n]


def test_hits_are_those_of_brute_force(index, encoder):
    hits = index.search(FOOD, 20, by="meaning")
    rows = {row["id"]: row for row in some_rows(200)}
    assert [hit.score for hit in hits] == pytest.approx(brute_force(encoder, rows.values(), FOOD, 20), abs=1e-5)
    for hit in hits:
        row = rows[hit.id]
        assert (hit.text, dict(hit.columns)) == (row["text"], {"stars": row["stars"], "lang": "en"})
        cosine = float(encoder.embed(hit.text, normalize=True) @ encoder.embed(FOOD, normalize=True))
        assert hit.score == pytest.approx(cosine, abs=1e-5)


def test_a_text_finds_itself_with_score_one(index):
    row = some_rows(200)[17]
    assert index.search(row["text"], 1, by="meaning")[0].score == pytest.approx(1.0, abs=1e-5)


def test_a_filter_is_applied_before_the_search(index, encoder):
    hits = index.search(FOOD, 10, by="meaning", where="stars >= 3 AND lang = 'en'")
    rows = [row for row in some_rows(200) if row["stars"] >= 3]
    assert [hit.score for hit in hits] == pytest.approx(brute_force(encoder, rows, FOOD, 10), abs=1e-5)
    assert index.search(FOOD, where="lang = 'de'") == []
    assert index.count(where="stars = 1") == 40


def test_a_row_whose_id_is_there_is_replaced(index):
    assert index.add([{"id": "r3", "text": "wine wine wine", "stars": 9}]) == Added(read=1, new=0, replaced=1)
    assert index.count() == 200
    (hit,) = index.search("wine", 1, where="id = 'r3'")
    assert hit.text == "wine wine wine" and hit.columns == {"stars": 9, "lang": None}


def test_the_last_of_two_rows_with_one_id_stays(tmp_path, encoder):
    index = Index.create(tmp_path / "index", encoder)
    assert index.add([{"id": 1, "text": "bus"}, {"id": "1", "text": "rain"}]) == Added(read=2, new=1)
    assert [hit.text for hit in index.search("bus")] == ["rain"]


def test_made_ids_add_nothing_twice_and_embed_nothing_twice(tmp_path, encoder, monkeypatch):
    index = Index.create(tmp_path / "index", encoder)
    rows = [{"text": row["text"], "n": i} for i, row in enumerate(some_rows(50))]
    assert index.add(rows) == Added(read=50, new=50)
    monkeypatch.setattr(type(encoder), "embed", lambda *_, **__: pytest.fail("embedded again"))
    assert index.add(rows) == Added(read=50, new=0)
    assert index.count() == 50


def test_rows_are_deleted_by_id_and_by_filter(index):
    assert index.delete(["r1", "r2", "none", "it's"]) == 2
    assert index.delete("r3") == 1
    assert index.delete(where="stars = 0") == 40
    assert index.count() == 157
    with pytest.raises(HeedfulError, match="either ids or where"):
        index.delete()


def test_an_index_opens_again_with_its_own_model(index):
    again = Index.open(index.path)
    assert again.search(FOOD) == index.search(FOOD)
    assert again.columns == {"id": "text", "text": "text", "stars": "number", "lang": "text"}


def test_a_handle_sees_what_another_adds(index):
    other = Index.open(index.path)
    index.add([{"id": "new", "text": "bus bus bus"}])
    index.optimise()
    assert other.count() == 201 and other.search("bus", 1, by="meaning")[0].score == pytest.approx(1.0, abs=1e-5)


def test_batches_give_the_same_as_one_batch(tmp_path, encoder, index, monkeypatch):
    monkeypatch.setattr(rows_module, "MOST_ROWS", 7)
    told = []
    small = Index.create(tmp_path / "small", encoder)
    small.add(iter(some_rows(200)), on_progress=told.append)
    assert told[:2] == [7, 14] and told[-1] == 200
    small.optimise()
    assert [hit.score for hit in small.search(FOOD)] == pytest.approx([hit.score for hit in index.search(FOOD)])


def test_later_columns_are_added(index):
    index.add([{"id": "x", "text": "rain", "seen": True}])
    assert index.columns["seen"] == "yes or no"
    assert [hit.id for hit in index.search("rain", where="seen")] == ["x"]
    assert index.count(where="seen IS NULL") == 200


def test_hits_are_explained_by_their_words(index):
    hits = index.search(FOOD, 3, by="meaning")
    for hit, why in zip(hits, index.explain(FOOD, hits), strict=True):
        assert why.texts == (FOOD, hit.text)
        assert why.score == pytest.approx(hit.score, abs=1e-5)
        assert sum(why.by_word[1]) == pytest.approx(hit.score, abs=1e-5)


def test_a_text_without_words_is_kept_and_not_found(tmp_path, encoder):
    index = Index.create(tmp_path / "index", encoder)
    index.add([{"text": ""}, {"text": "bus"}, {"text": "\ud800 'quoted' \x00 text"}])
    assert index.count() == 3
    assert all(np.isfinite(hit.score) for hit in index.search("bus"))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"id": "a", "text": "bus", "stars": "many"}, "line 7: stars is 'many', expected a number"),
        ({"id": "a", "text": None}, "line 7: text is None, expected a text"),
        ({"id": "a", "body": "bus"}, "line 7: no column 'text'.*id, body"),
        ({"id": "", "text": "bus"}, "line 7: id is '', expected an id"),
    ],
)
def test_a_row_that_does_not_fit_is_named(index, row, said):
    with pytest.raises(DataError, match=said):
        index.add([Row(row, 7)], source="in.csv")
    assert index.count() == 200


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("starz > 1", "Did you mean stars"),
        ("stars = 'a'", "invalid filter.*'a'"),
        ("stars >", "invalid filter"),
        ("stars", "invalid filter"),
    ],
)
def test_a_wrong_filter_is_one_message_without_our_sources(index, where, said):
    for use in (
        lambda: index.search(FOOD, where=where),
        lambda: index.delete(where=where),
        lambda: index.count(where=where),
    ):
        with pytest.raises(HeedfulError, match=said) as caught:
            use()
        assert ".rs" not in str(caught.value) and "\n" not in str(caught.value)
    assert index.count() == 200


def test_wrong_uses_are_clear_errors(tmp_path, index, encoder, tiny_model):
    empty = Index.create(tmp_path / "empty", encoder)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    for said, use in {
        "query is empty": lambda: index.search("  "),
        "expected at least 1": lambda: index.search("bus", 0),
        "has no rows": lambda: empty.search("bus"),
        "is not an index. Create": lambda: Index.open(tmp_path / "other"),
        "does not exist": lambda: Index.open(tmp_path / "nowhere"),
        "already exists": lambda: Index.create(index.path, encoder),
        "will not be overwritten": lambda: Index.create(tmp_path / "other", encoder, overwrite=True),
        "is not an encoder": lambda: Index.create(tmp_path / "c", tiny_model),
        "both the text and the id": lambda: Index.create(tmp_path / "c", encoder, text="a", id="a"),
    }.items():
        with pytest.raises(HeedfulError, match=said):
            use()
    assert not (tmp_path / "c").exists()


def test_another_model_is_refused(index, encoder, other_encoder):
    with pytest.raises(HeedfulError, match="another model"):
        Index.open(index.path, model=other_encoder)
    assert Index.open(index.path, model=encoder).search(FOOD)


def test_a_moved_model_is_found_when_named(tmp_path, encoder_folder):
    model = tmp_path / "model"
    shutil.copytree(encoder_folder, model)
    Index.create(tmp_path / "index", model).add([{"text": "bus"}])
    model.rename(tmp_path / "moved")
    with pytest.raises(HeedfulError, match="Set model to its current path"):
        Index.open(tmp_path / "index").search("bus")
    assert Index.open(tmp_path / "index", model=tmp_path / "moved").search("bus")


def test_overwriting_begins_anew(index, encoder):
    again = Index.create(index.path, encoder, text="body", overwrite=True)
    again.add([{"body": "bus"}])
    assert again.count() == 1 and [hit.text for hit in again.search("bus")] == ["bus"]


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", "nonsense", '{"format": 2}', json.dumps({"model": 1, "fingerprint": 2, "width": "a", "text": []})],
)
def test_a_damaged_index_is_a_clear_error(index, content):
    (index.path / "index.json").write_text(content)
    with pytest.raises(HeedfulError, match="index"):
        Index.open(index.path)
