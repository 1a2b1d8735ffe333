"""Every result shows itself in every form."""

import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from tests.page_reader import Reader
from tests.show.audit.test_page import made_by_hand as made_audit
from tests.show.hops.test_page import made_by_hand as made_atlas
from tests.show.similarity.test_page import made_by_hand as made_similarity
from tests.show.test_tags import made as made_tags
from tests.show.words.test_page import made_by_hand as made_words

import heedful
from heedful.explain.attention.explanation import Word
from heedful.explain.attention.flip import Flip
from heedful.explain.shown import Pictured, Shown
from heedful.explain.steps.self_attention_maps import SelfAttention
from heedful.explain.steps.steps import steps_of
from heedful.explain.steps.two_contexts import compare_word
from heedful.show import heatmap, matrix
from heedful.tasks.pair.explanation import PairExplanation
from heedful.tasks.translate.explain import Alignment

WITHOUT_PICTURE = {"Similarity", "HopAtlas", "Steps", "TwoContexts", "Audit", "Flip", "LabelWords"}
ALL = {
    "Explanation", "PairExplanation", "TagExplanation", "Alignment", "Heatmap", "Matrix", "SelfAttention",
    *WITHOUT_PICTURE,
}  # fmt: skip
EVIL = "<b>bold</b> &amp;"


@pytest.fixture(scope="module")
def results(make):
    tiny = heedful.load("en-tiny", threads=1)
    words = (Word("<b>good</b>", 0, 11, True), Word("cake", 12, 16, True))
    return {
        type(result).__name__: result
        for result in (
            make(f"good cake {EVIL}"),
            PairExplanation(make(f"one {EVIL}"), make("two words")),
            made_tags(f"Kim sings {EVIL}"),
            Alignment("le chat", EVIL, -1.0, ("le", "chat"), ("the", EVIL), np.full((2, 2), 0.5), 7),
            made_similarity(f"one {EVIL}", "two words"),
            made_atlas(("good", "bad", EVIL)),
            steps_of(tiny, f"the cake {EVIL}"),
            compare_word(tiny, f"the cake {EVIL}", "a cake", word="cake"),
            SelfAttention("<b>good</b> cake", words, np.full((1, 2, 2, 2), 0.5)),
            made_audit(),
            made_words(("good", "bad", EVIL)),
            Flip("<b>good</b> cake", "yes", 0.9, words[:1], "no", 0.8, True),
            heatmap(["good", EVIL], [0.2, 0.8]),
            matrix(["good", EVIL], np.eye(2)),
        )
    }


def test_every_result_class_is_here(results):
    assert set(results) == ALL
    assert all(isinstance(result, Shown) for result in results.values())


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_result_is_a_page_a_notebook_cell_plain_text_and_plain_values(results, name):
    result = results[name]
    for source in (result.to_html(), result._repr_html_()):
        assert Reader(source).text.strip()
        assert "<b>bold" not in source and "<b>good" not in source
    assert result.to_html().startswith("<!doctype html>") and not result._repr_html_().startswith("<!doctype")
    assert "<style>" in result._repr_html_(), "a notebook has no style of ours"
    plain = str(result)
    assert plain and "\x1b" not in plain and not re.match(rf"{name}\(", plain), "not the representation of a dataclass"
    assert json.dumps(result.to_dict())


@pytest.mark.parametrize("name", sorted(ALL - WITHOUT_PICTURE))
def test_a_result_with_a_picture_draws_it_at_any_width(results, name):
    assert isinstance(results[name], Pictured)
    widths = [ET.fromstring(results[name].to_svg(width=width)).get("width") for width in (900, 1200)]
    assert widths == ["900", "1200"]
    assert results[name].to_png(scale=1).startswith(b"\x89PNG")


@pytest.mark.parametrize("name", sorted(WITHOUT_PICTURE))
def test_a_result_without_a_picture_has_no_method_for_it(results, name):
    assert not hasattr(results[name], "to_svg") and not hasattr(results[name], "to_png")
