"""Tagged sentences in another case."""

from heedful.data.example import Example
from heedful.tasks.tag.recase import in_other_case

TEXTS = [Example(("Anna", "saw", f"McRome{i}"), ("B-per", "O", "B-loc"), i) for i in range(200)]


def test_a_share_comes_once_more_with_its_tags_and_lines():
    found = in_other_case(TEXTS, 0.3, seed=0)
    assert len(found) == 60
    for one in found:
        assert one.line is not None
        of = TEXTS[one.line]
        assert one.label == of.label
        assert one.text != of.text
        assert [t.lower() for t in one.text] == [t.lower() for t in of.text]


def test_a_text_has_one_case_and_most_are_lower():
    firsts = [one.text[:2] for one in in_other_case(TEXTS, 1.0, seed=0)]
    assert set(firsts) == {("anna", "saw"), ("Anna", "Saw"), ("ANNA", "SAW")}
    assert firsts.count(("anna", "saw")) > 100


def test_the_same_seed_gives_the_same_and_another_others():
    assert in_other_case(TEXTS, 0.3, seed=1) == in_other_case(TEXTS, 0.3, seed=1) != in_other_case(TEXTS, 0.3, seed=2)


def test_none_are_asked_for_and_none_come():
    assert in_other_case(TEXTS, 0.0, seed=0) == []
