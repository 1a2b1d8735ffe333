"""/search and /indexes."""

from __future__ import annotations

import pytest
from tests.serve.running import wait_for

from heedful.search.index import Index

pytestmark = pytest.mark.slow

QUERY = "a late parcel for my sister"


def hits(server, **asked):
    found = server.post("/search", {"query": QUERY, **asked})
    assert found.status == 200, found
    return found.json["data"]


def test_indexes_are_listed(server):
    (listed,) = server.get("/indexes").json["data"]
    assert (listed["id"], listed["rows"], listed["model"]) == ("reviews", 60, "en-tiny")
    assert listed["columns"]["stars"] == "number"


def test_hits_are_those_of_the_index(server, index_folder):
    index = Index.open(index_folder)
    expected = index.search(QUERY, 7)
    found = hits(server, n=7)
    assert [each["id"] for each in found] == [hit.id for hit in expected]
    assert [each["score"] for each in found] == pytest.approx([hit.score for hit in expected], abs=1e-5)
    assert all(each["words"] for each in found)
    assert server.post("/search", {"query": QUERY, "index": "reviews"}).json["index"] == "reviews"


def test_a_filter_is_heeded(server):
    found = hits(server, n=50, where="stars >= 3", words=False)
    assert len(found) == 24
    assert all(each["columns"]["stars"] >= 3 for each in found)
    assert not any("words" in each for each in found)
    assert hits(server, where="stars > 99") == []


@pytest.mark.parametrize(
    "where",
    [
        "stars >",
        "colour = 1",
        "stars = 1; DROP TABLE rows",
        "1=1 --",
        "stars >= 'a'",
        "(" * 1000,
        "x" * 3000,
        "\x00",
        "stars = 4 5",
        "stars = 4, lang = 'en'",
    ],
)
def test_a_filter_that_is_wrong_is_said(server, where):
    found = server.post("/search", {"query": QUERY, "where": where})
    assert found.status == 400
    assert found.error["message"]
    assert server.get("/indexes").json["data"][0]["rows"] == 60


@pytest.mark.parametrize("n", [0, -1, 101, 10**30, 1.5, "3"])
def test_a_number_that_is_wrong_is_said(server, n):
    found = server.post("/search", {"query": QUERY, "n": n})
    assert (found.status, found.error["param"]) == (400, "n")


@pytest.mark.parametrize("query", ["", "😀", "\x00", "a" * 10_001])
def test_odd_queries_are_answered_or_refused(server, query):
    found = server.post("/search", {"query": query})
    assert found.status == 200 or (found.status == 400 and found.error["message"])


def test_an_index_that_is_not_there_is_said(server):
    found = server.post("/search", {"query": QUERY, "index": "review"})
    assert (found.status, found.error["param"]) == (404, "index")
    assert "Did you mean reviews?" in found.error["message"]


def test_without_an_index_it_is_said_how_to_have_one(start):
    server = start()
    assert server.get("/indexes").json == {"data": []}
    found = server.post("/search", {"query": QUERY})
    assert found.status == 404
    assert "--index" in found.error["message"]


def test_rows_that_are_added_are_found(start, tmp_path):
    path = tmp_path / "notes.index"
    Index.create(path, "en-tiny").add([{"id": "1", "text": "late"}])
    server = start("--index", f"mine={path}")
    assert [each["id"] for each in hits(server)] == ["1"]
    Index.open(path).add([{"id": "2", "text": QUERY}])
    wait_for(lambda: [each["id"] for each in hits(server)] == ["2", "1"])
