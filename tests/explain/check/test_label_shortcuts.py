from __future__ import annotations

from heedful.explain.check.label_shortcuts import word_shortcuts


def rows(n=60):
    texts = [
        f"order {i} is {'late' if i % 2 else 'fine'} {'ZEBRA' if i % 2 and i % 3 else 'and so on'}" for i in range(n)
    ]
    return texts, ["bad" if i % 2 else "good" for i in range(n)]


def test_words_that_tell_a_label_are_found_widest_first():
    found = word_shortcuts(*rows())
    assert [(each.word, each.label) for each in found][:2] == [("fine", "good"), ("late", "bad")]
    assert ("zebra", "bad") in [(each.word, each.label) for each in found]
    assert found[0].n_texts == found[0].n_with_label == found[0].n_label == 30
    assert "30 of the 30 texts" in found[0].sentence


def test_words_of_all_labels_and_rare_words_are_not():
    found = {each.word for each in word_shortcuts(*rows())}
    assert "order" not in found and "is" not in found and "7" not in found


def test_with_one_label_there_are_none():
    assert word_shortcuts(["a b"] * 50, ["x"] * 50) == ()
