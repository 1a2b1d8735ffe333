"""The words of each label, recomputed by hand from explanations."""

from __future__ import annotations

import copy
from collections import defaultdict

import numpy as np
import pytest
from tests.conftest import TINY, make_examples, train_tiny

from heedful.config import Config
from heedful.data.example import Example
from heedful.errors import DataError, HeedfulError
from heedful.explain.words import form_table
from heedful.explain.words.form_table import FormTable
from heedful.explain.words.occurrences import Occurrences, is_within, phrases_of
from heedful.explain.words.statistics import label_words
from heedful.explain.words.text_parts import read_parts
from heedful.inputs import INPUTS
from heedful.jobs.train.train import train_model
from heedful.runtime.model import load


@pytest.fixture(scope="module")
def texts():
    return [example.text for example in make_examples(80, seed=3)]


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    """A model that has learned which words tell."""
    return load(
        train_tiny(tmp_path_factory.mktemp("taught") / "m", epochs=15, encoder="static", start="none"), threads=1
    )


@pytest.fixture(scope="module")
def words(taught, texts):
    return taught.words(texts, top=50)


def by_text(model, texts, label):
    """Return form → the contributions of its occurrences in each text."""
    values = defaultdict(list)
    for explanation in model.explain(texts):
        of_text = defaultdict(list)
        for word, value in zip(explanation.words, explanation.contributions_to(label), strict=True):
            of_text[word.text.lower()].append(value)
        for form, own in of_text.items():
            values[form].append(own)
    return values


@pytest.mark.parametrize("label", ["bad", "good"])
def test_counts_and_means_are_those_of_the_explanations(taught, texts, words, label):
    expected, part = by_text(taught, texts, label), words.of(label)
    singles = [word for word in (*part.supporting, *part.opposing) if word.n_words == 1]
    assert len(singles) >= 8
    for word in singles:
        values = expected[word.form]
        assert (word.count, word.n_texts) == (sum(map(len, values)), len(values))
        assert word.mean == pytest.approx(np.mean([np.mean(own) for own in values]), abs=1e-5)
        assert word.low <= word.mean <= word.high


def test_words_that_tell_are_first_and_the_signs_are_right(words):
    part = words.of("good")
    assert part.supporting[0].form.split()[-1] in {"great", "lovely", "quick", "best"}
    assert all(word.mean > 0 for word in part.supporting) and all(word.mean < 0 for word in part.opposing)
    assert {"awful", "slow"} & {word.form for word in part.opposing}
    assert words.n_texts == 80 and words.min_count == 3 and sum(part.n_texts for part in words.labels) == 80


def test_phrases_are_adjacent_words_that_pull_the_same_way(tiny_model, texts):
    (parts,) = (parts for batch in read_parts(tiny_model, enumerate(texts[:1])) for parts in batch)
    phrases = phrases_of(parts)
    listed = {
        (first, len(key)): counts.tolist()
        for first, key, counts in zip(phrases.firsts, phrases.keys, phrases.counts, strict=True)
    }
    for n in (2, 3):
        for first in range(len(parts.words) - n + 1):
            each = parts.contributions[first : first + n]
            total = np.abs(each.sum(axis=0))
            fair = (np.abs(np.sign(each).sum(axis=0)) == n) & (np.abs(each).min(axis=0) >= total / (2 * n))
            assert listed.get((first, n), [False, False]) == fair.tolist()
    for first, key, values in zip(phrases.firsts, phrases.keys, phrases.values, strict=True):
        np.testing.assert_allclose(values, parts.contributions[first : first + len(key)].sum(axis=0))
        assert "".join(key) == " ".join(parts.forms[first : first + len(key)])


def test_phrases_follow_the_spaces_of_the_text_and_do_not_end_in_punctuation(subword_model):
    ((parts,),) = read_parts(subword_model, [(0, "It wasn't  GREAT , was it?")])
    assert parts.forms == ("it", "wasn", "'", "t", "great", ",", "was", "it", "?")
    full = parts._replace(contributions=np.ones_like(parts.contributions))
    forms = ["".join(key) for key in phrases_of(full).keys]
    assert {"wasn't", "it wasn", "t great", "great , was"} <= set(forms)
    assert not any(form.startswith("'") or form.endswith((",", "?", "'")) for form in forms)


def test_a_longer_phrase_contains_words_in_their_order():
    assert is_within(("service",), ("customer", " service")) and is_within(("a", " b"), ("x", " a", " b"))
    assert not is_within(("art",), ("part", " time")) and not is_within(("a", " b"), ("a", " b"))


def test_a_shortcut_decides_most_of_its_texts(taught, texts, words):
    explanations = taught.explain(texts)
    for shortcut in words.shortcuts:
        with_it = [e for e in explanations if shortcut.word in [word.text for word in e.words]]
        own = [e for e in with_it if e.label == shortcut.label]
        decided = 0
        for explanation in own:
            is_it = np.array([word.text == shortcut.word for word in explanation.words])
            left = explanation.scores - explanation.contributions[is_it].sum(axis=0)
            decided += explanation.labels[int(left.argmax())] != shortcut.label
        n_label = sum(e.label == shortcut.label for e in explanations)
        counts = (shortcut.n_texts, shortcut.n_predicted, shortcut.n_decided, shortcut.n_label)
        assert counts == (len(with_it), len(own), decided, n_label)
        assert len(with_it) >= 5 and decided >= len(own) / 2 > len(with_it) / 4 and len(own) >= 0.02 * n_label
    assert {shortcut.word for shortcut in words.shortcuts} & {"great", "lovely", "quick", "best", "awful", "worst"}
    assert words.shortcuts[0].sentence.startswith(f"“{words.shortcuts[0].word}” may be a shortcut to ")


def test_one_label_has_the_words_and_shortcuts_that_it_has_among_all(taught, texts, words):
    alone = taught.words(texts, label="bad", top=50)
    assert [part.label for part in alone.labels] == ["bad"] and alone.n_labels == 2
    assert [word.form for word in alone.of("bad").supporting] == [word.form for word in words.of("bad").supporting]
    assert alone.shortcuts == tuple(s for s in words.shortcuts if s.label == "bad")
    with pytest.raises(HeedfulError, match="no label 'good' here"):
        alone.of("good")


def test_examples_are_texts_with_the_word_and_their_contributions(taught, texts, words):
    for word in words.of("good").supporting:
        assert 1 <= len(word.examples) <= 3
        for example in word.examples:
            start, end = example.spans[example.first][0], example.spans[example.end - 1][1]
            assert example.text[start:end].lower() == word.form and example.end - example.first == word.n_words
            source = next(text for text in texts if example.text in text)
            assert example.is_start == source.startswith(example.text)
            values = taught.explain(source).contributions_to("good")
            assert any(abs(values[i] - example.contributions[example.first]) < 1e-5 for i in range(len(values)))


def test_a_file_is_read_as_the_list_of_its_texts(taught, texts, words, tmp_path, write_csv):
    path = write_csv(tmp_path / "in.csv", make_examples(80, seed=3))
    progress = []
    from_file = taught.words(path, top=50, on_progress=lambda done, total: progress.append((done, total)))
    assert from_file.labels == words.labels and from_file.file == "in.csv"
    assert progress[-1] == (80, 80) and [done for done, _ in progress] == sorted(done for done, _ in progress)
    assert taught.words(str(path), text="label", min_count=1).n_words == 80


def test_case_is_folded_as_the_model_folds_it(tiny_model, tmp_path):
    forms = {word.form for part in tiny_model.words(["Great GREAT great"] * 9).labels for word in part.supporting}
    assert any("great" in form for form in forms) and not any("G" in form for form in forms)
    cased = load(train_tiny(tmp_path / "cased", lowercase=False, epochs=1), threads=1)
    ((parts,),) = read_parts(cased, [(0, "Great parcel")])
    assert parts.forms == ("Great", "parcel")


def test_words_of_subwords_are_whole_words(subword_model, texts):
    forms = {word.form for part in subword_model.words(texts).labels for word in part.supporting}
    assert forms and all(any(form in text for text in texts) for form in forms)


@pytest.mark.parametrize(("n", "expected"), [(5, 1), (45, 2), (60, 3), (80, 3)])
def test_the_minimum_is_lower_for_few_texts(tiny_model, texts, n, expected):
    assert tiny_model.words(texts[:n]).min_count == expected
    assert all(w.n_texts >= 7 for p in tiny_model.words(texts, min_count=7).labels for w in p.supporting)


def test_texts_without_words_do_not_count(tiny_model):
    assert tiny_model.words(["", "great", "\u200b"]).n_texts == 1
    with pytest.raises(HeedfulError, match="the 2 texts have no words"):
        tiny_model.words(["", " "])
    with pytest.raises(HeedfulError, match="empty list"):
        tiny_model.words([])


def test_the_result_does_not_depend_on_batches(taught, texts, words):
    other = taught.words(texts, top=50, batch_size=3)
    for ours, theirs in zip(words.labels, other.labels, strict=True):
        assert {word.form: word.count for word in ours.supporting} == {w.form: w.count for w in theirs.supporting}
    assert other.shortcuts == words.shortcuts


def test_a_number_has_words_that_raise_it_and_no_shortcuts(tmp_path):
    made = [Example(e.text, str(100.5 + 20 * (e.label == "good"))) for e in make_examples(80)]
    train_model(Config().changed(**TINY, task="regress", start="none"), tmp_path / "m", examples=(made[:60], made))
    model = load(tmp_path / "m", threads=1)
    words = model.words([e.text for e in made])
    (part,) = words.labels
    assert words.is_number and not words.shortcuts and part.n_texts == 80
    expected = by_text(model, [e.text for e in made], part.label)
    singles = [word for word in (*part.supporting, *part.opposing) if word.n_words == 1]
    assert singles
    for word in singles:
        assert word.mean == pytest.approx(np.mean([np.mean(own) for own in expected[word.form]]), abs=1e-3)


def test_each_of_many_labels_has_its_own_words(tmp_path):
    made = [Example(e.text, ("1" if e.label == "good" else "0", "01"["my" in e.text])) for e in make_examples(80)]
    train_model(
        Config().changed(**{**TINY, "epochs": 6}, start="none"), tmp_path / "m", examples=(made[:60], made[60:])
    )
    model = load(tmp_path / "m", threads=1)
    words = model.words([e.text for e in made])
    predictions = model.predict([e.text for e in made])
    for part in words.labels:
        assert part.n_texts == sum(part.label in labels for labels in predictions)


def occurrences(keys, values):
    array = np.array(values, dtype=float)
    return Occurrences([(key,) for key in keys], list(range(len(keys))), array, np.ones(array.shape, dtype=bool))


def test_memory_is_bounded_and_frequent_forms_stay(monkeypatch):
    monkeypatch.setattr(form_table, "MOST_VALUES", 400)
    table = FormTable([0, 1], limit=20)
    for i in range(300):
        table.add([occurrences(["often", f"rare {i}"], [[i, -i], [1, 1]])], [i])
        assert len(table.rows) <= 22 and sum(len(sample.values) for sample in table._samples) <= 404
    row = table.rows[("often",)]
    assert table["texts"][row].tolist() == [300, 300] and table["means"][row, 0] == sum(range(300))
    assert table.n_forgotten > 200
    indexes, values = table.sample(row, 1)
    assert len(set(indexes.tolist())) == len(indexes) and (values == -indexes).all()


def test_a_sample_of_texts_is_uniform(monkeypatch):
    monkeypatch.setattr(form_table, "MOST_KEPT", 10)
    seen = np.zeros(50)
    for seed in range(400):
        table = FormTable([0], seed=seed)
        for i in range(50):
            table.add([occurrences(["a"], [[i]])], [i])
        seen[table.sample(0, 0)[0]] += 1
    assert (seen > 40).all() and (seen < 130).all()  # 80 expected, deviation 8


def test_the_interval_of_a_sample_is_narrowed_to_all_texts(tiny_model, texts, monkeypatch):
    whole = {w.form: w for p in tiny_model.words(texts * 20).labels for w in p.supporting}
    monkeypatch.setattr(form_table, "MOST_KEPT", 60)
    some = {w.form: w for p in tiny_model.words(texts * 20).labels for w in p.supporting}
    both = [form for form in whole.keys() & some.keys() if whole[form].high > whole[form].low + 1e-3]
    assert len(both) >= 3
    for form in both:
        assert some[form].mean == whole[form].mean
        assert 0.3 < (some[form].high - some[form].low) / (whole[form].high - whole[form].low) < 3


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({"head": "pruned"}, "has the head pruned"), ({"pooler": "max"}, "the pooler max")],
)
def test_a_model_without_contributions_says_why_and_what_to_do(tmp_path, settings, expected):
    model = load(train_tiny(tmp_path / "m", epochs=1, **settings), threads=1)
    with pytest.raises(HeedfulError, match="Train it again with the head linear") as error:
        model.words(["great"])
    assert expected in str(error.value)


def test_other_models_are_clear_errors(pretrained, tiny_model, tmp_path):
    with pytest.raises(HeedfulError, match="has no words: see explain"):
        pretrained.words(["great"])
    with pytest.raises(HeedfulError, match=r"no label 'god'\. Did you mean good"):
        tiny_model.words(["great"], label="god")
    with pytest.raises(HeedfulError, match="top is 0, expected at least 1"):
        tiny_model.words(["great"], top=0)
    with pytest.raises(HeedfulError, match="found int 3"):
        tiny_model.words(["great", 3])
    with pytest.raises(DataError, match=r"nothing\.csv"):
        tiny_model.words(tmp_path / "nothing.csv")
    (tmp_path / "in.csv").write_text("text,label\n")
    with pytest.raises(DataError, match="no texts"):
        tiny_model.words(tmp_path / "in.csv")


def test_other_inputs_and_pairs_are_clear_errors(tiny_model):
    molecules, pairs = copy.copy(tiny_model), copy.copy(tiny_model)
    molecules.input, molecules.config = INPUTS["molecule"], tiny_model.config.changed(input="molecule")
    with pytest.raises(HeedfulError, match="reads molecule, expected a model that reads texts"):
        molecules.words(["CCO"])
    pairs.n_sides, pairs.does = 2, "answers to pairs of texts"
    with pytest.raises(HeedfulError, match="answers to pairs of texts: words are for models that give a single text"):
        pairs.words(["great"])


def test_without_examples_no_excerpt_is_in_it_and_few_labels_are_kept(tiny_model, texts):
    words = label_words(tiny_model, texts, examples=False, most_labels=1, name="given")
    assert len(words.labels) == 1 and words.n_labels == 2 and words.file == "given"
    assert not any(word.examples for part in words.labels for word in (*part.supporting, *part.opposing))
