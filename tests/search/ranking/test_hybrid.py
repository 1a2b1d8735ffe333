"""Ranking by words and by meaning, passages, old indexes."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from heedful.errors import HeedfulError
from heedful.search.about import About, read_about
from heedful.search.hit import Added
from heedful.search.index import Index
from heedful.search.ranking.rank import Question, ranked
from heedful.text.terms.bm25 import query_over
from heedful.text.terms.mix import MIXES, WORDS
from heedful.text.terms.terms import forms_of

FOOD = "the food came late and cold"
KNOWN = ["food", "late", "cold", "dinner", "parcel", "sister", "wine", "bus", "station", "rain", "soup", "ticket"]


def some_texts(n: int) -> list[str]:
    rng = random.Random(1)
    return [" ".join(rng.choices(KNOWN, k=rng.randint(2, 9))) for _ in range(n)]


def long_text(n: int) -> str:
    return "\n\n".join(f"Paragraph {i} has wine and soup and a ticket number t{i}. " * 6 for i in range(n))


@pytest.fixture
def index(tmp_path, encoder):
    made = Index.create(tmp_path / "index", encoder)
    made.add([{"id": f"r{i}", "text": text, "n": i} for i, text in enumerate(some_texts(300))])
    made.optimise()
    return made


def test_scores_by_words_are_bm25(index):
    forms = [forms_of(text) for text in some_texts(300)]
    query = query_over("late parcels, late wine!", forms)
    expected = np.sort([sum(query.shares(each).values()) for each in forms])[::-1][:20]
    hits = index.search("late parcels, late wine!", 20, by="words")
    assert [hit.score for hit in hits] == pytest.approx(expected, abs=1e-3)
    assert all(hit.by_words == hit.score and hit.by_meaning == 0 for hit in hits)


def test_both_is_the_weighted_sum_over_every_row(index, encoder):
    texts = some_texts(300)
    query = query_over(FOOD, [forms_of(text) for text in texts])
    cosines = encoder.embed(texts, normalize=True) @ encoder.embed(FOOD, normalize=True)
    words = np.array([sum(query.shares(forms_of(text)).values()) for text in texts])
    expected = np.sort(WORDS * words + (1 - WORDS) * cosines)[::-1][:10]
    assert [hit.score for hit in index.search(FOOD, 10)] == pytest.approx(expected, abs=1e-3)


def test_the_parts_of_a_score_add_up(index, encoder):
    hits = index.search(FOOD, 10)
    assert any(hit.matches for hit in hits)
    for hit, why in zip(hits, index.explain(FOOD, hits), strict=True):
        assert hit.by_words + hit.by_meaning == pytest.approx(hit.score, abs=1e-12)
        assert sum(match.adds for match in hit.matches) == pytest.approx(hit.by_words, abs=1e-12)
        assert MIXES["both"].meaning * why.matrix.sum() == pytest.approx(hit.by_meaning, abs=1e-5)
        for match in hit.matches:
            assert tuple(hit.text[start:end] for start, end in match.spans) == match.words
            assert forms_of(match.words[0])[0] in forms_of(FOOD)


def test_a_word_is_found_in_another_form(tmp_path, encoder):
    index = Index.create(tmp_path / "index", encoder)
    index.add([{"text": "Parcels were lost"}, {"text": "rain"}])
    (hit,) = index.search("a lost PARCEL", by="words")
    assert {match.words for match in hit.matches} == {("Parcels",), ("lost",)}


@pytest.mark.parametrize(
    ("query", "text"),
    [("맛집", "이 맛집이 정말 좋아요"), ("早餐", "酒店的早餐很好吃"), ("茶", "一杯绿茶"), ("кошка", "Моя КОШКА спит")],
)
def test_words_of_other_scripts_are_found(tmp_path, encoder, query, text):
    index = Index.create(tmp_path / "index", encoder)
    index.add([{"text": "the food came late"}, {"text": text}, {"text": "나는 기차를 타고"}, {"text": "我们坐火车"}])
    assert [hit.text for hit in index.search(query, by="words")] == [text]
    assert index.search(query, 1)[0].text == text


def test_what_no_row_has_is_no_hit_and_no_error(index):
    assert index.search("zebra", by="words") == []
    with pytest.raises(HeedfulError, match="has no words to look for"):
        index.search("?!", by="words")
    with pytest.raises(HeedfulError, match="by is 'sound'"):
        index.search(FOOD, by="sound")


def test_a_filter_holds_for_words_too(index):
    hits = index.search(FOOD, 50, where="n < 20")
    assert hits and all(hit.columns["n"] < 20 for hit in hits)
    assert index.search(FOOD, by="words", where="n > 999") == []


def test_rows_are_found_before_the_index_is_optimised(index):
    index.add([{"id": "fresh", "text": "a zebra in the rain"}])
    assert index.search("zebra", 1)[0].id == "fresh"
    index.delete(["fresh"])
    assert index.search("zebra", by="words") == []


def test_a_long_text_is_a_document_with_its_best_passage(tmp_path, encoder):
    index = Index.create(tmp_path / "index", encoder)
    text = long_text(30)
    assert index.add([{"id": "long", "text": text, "n": 1}, {"id": "short", "text": "rain"}]) == Added(read=2, new=2)
    assert index.count() == 2 and index._table._rows.count_rows() > 5
    hits = index.search("ticket number t17")
    assert [hit.id for hit in hits] == ["long", "short"]
    passage = hits[0].passage
    assert passage is not None and "t17" in hits[0].text and hits[1].passage is None
    assert text[passage.start : passage.end] == hits[0].text and passage.of == index._table._rows.count_rows() - 1
    assert index.document("long") == text and index.document("short") == "rain"
    with pytest.raises(HeedfulError, match="no document with the id 'none'"):
        index.document("none")


def test_a_document_that_becomes_shorter_leaves_no_passage(tmp_path, encoder):
    index = Index.create(tmp_path / "index", encoder)
    index.add([{"id": "a", "text": long_text(30)}, {"id": "b", "text": long_text(10)}])
    assert index.add([{"id": "a", "text": long_text(9)}, {"id": "c", "text": "bus"}]) == Added(
        read=2, new=1, replaced=1
    )
    assert index.document("a") == long_text(9) and index.document("b") == long_text(10)
    assert index.search("t29 t28 t27", by="words") == []
    assert index.add([{"id": "a", "text": "bus"}]) == Added(read=1, new=0, replaced=1)
    assert index.document("a") == "bus" and index.count() == 3


def test_documents_are_counted_and_deleted_whole(tmp_path, encoder):
    index = Index.create(tmp_path / "index", encoder)
    index.add([{"id": "a", "text": long_text(30), "n": 1}, {"id": "b", "text": long_text(5), "n": 2}])
    assert index.count(where="n = 1") == 1 and index.count(where="text LIKE '%t29%'") == 1
    assert index.delete(where="text LIKE '%t29%'") == 1
    assert index.count() == 1 and index._table._rows.count_rows("id = 'a'") == 0
    assert index.delete(["b", "none"]) == 1 and index.count() == 0


def old_index(path, encoder):
    """Return an index as an older heedful wrote it."""
    Index.create(path, encoder)
    replace(read_about(path), format=1).write(path)
    old = Index.open(path, model=encoder)
    old.add([{"id": f"r{i}", "text": text} for i, text in enumerate(some_texts(40))])
    return old


def test_an_old_index_is_searched_by_meaning(tmp_path, encoder):
    old = old_index(tmp_path / "old", encoder)
    names = set(old._table._rows.schema.names)
    assert names == {"id", "text", "_vector"}
    again = Index.open(tmp_path / "old", model=encoder)
    assert again.ranked_by("both") == "meaning"
    assert again.search(FOOD) == again.search(FOOD, by="meaning") and again.search(FOOD)[0].by_words == 0
    with pytest.raises(HeedfulError, match=r"has no words\. Rebuild it"):
        again.search(FOOD, by="words")
    assert again.add([{"id": "r0", "text": "bus"}, {"id": "x", "text": "bus"}]) == Added(read=2, new=1, replaced=1)
    assert again.delete(["x"]) == 1 and again.document("r0") == "bus"
    again.optimise()


def test_a_newer_format_is_refused(tmp_path, encoder):
    Index.create(tmp_path / "index", encoder)
    about = json.loads((tmp_path / "index" / "index.json").read_text())
    (tmp_path / "index" / "index.json").write_text(json.dumps({**about, "format": 3}))
    with pytest.raises(HeedfulError, match="has format 3; this heedful reads format 2"):
        Index.open(tmp_path / "index")


def test_hidden_columns_cannot_be_given_or_filtered_by(index):
    with pytest.raises(HeedfulError, match="not a valid column name"):
        index.add([{"id": "x", "text": "bus", "_words": "bus"}])
    with pytest.raises(HeedfulError, match="_part"):
        index.count(where="_part = 0")
    assert set(index.columns) == {"id", "text", "n"}


def test_an_empty_table_has_no_hits(tmp_path, encoder):
    index = Index.create(tmp_path / "index", encoder)
    question = Question(query_over("bus", []), encoder.embed("bus", normalize=True), MIXES["both"])
    assert ranked(index._table, About("m", "f", 8, "text"), question, 3, None) == []
