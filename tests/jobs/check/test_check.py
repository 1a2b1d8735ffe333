from __future__ import annotations

import random
import sys

import numpy as np
import pytest

import heedful
from heedful.data.columns import Columns
from heedful.data.memory import as_source
from heedful.errors import DataError, HeedfulError
from heedful.jobs.check import run as run_module
from heedful.jobs.check.check import check_data
from heedful.jobs.check.judge import judge_out_of_fold
from heedful.jobs.check.run import CheckRun
from heedful.jobs.check.source import open_data

TOPICS = {
    "billing": ["charged", "twice", "invoice", "refund", "payment", "card", "fee", "price"],
    "delivery": ["parcel", "courier", "late", "box", "doorstep", "arrived", "tracking", "van"],
    "app": ["login", "screen", "crash", "update", "button", "password", "page", "menu"],
}
FILLERS = ["the", "my", "and", "it", "was", "to", "for", "again", "this", "week", "please", "today", "with", "your"]


def made(n=240, *, wrong=12, seed=0):
    """Return texts with labels, some of which are wrong, and which ones."""
    rng = random.Random(seed)
    texts, labels = [], []
    for i in range(n):
        label = list(TOPICS)[i % 3]
        words = [*rng.choices(FILLERS, k=7), *rng.choices(TOPICS[label], k=3)]
        rng.shuffle(words)
        texts.append(" ".join(words))
        labels.append(label)
    chosen = rng.sample(range(n), wrong)
    for i in chosen:
        labels[i] = rng.choice([label for label in TOPICS if label != labels[i]])
    return texts, labels, set(chosen)


@pytest.fixture(scope="module")
def checked():
    texts, labels, wrong = made()
    return heedful.check((texts, labels), progress=False), texts, labels, wrong


def test_wrong_labels_are_found_with_the_right_one(checked):
    check, texts, _, wrong = checked
    listed = {suspect.row.row - 1 for suspect in check.suspects}
    assert len(wrong & listed) >= 0.9 * len(listed) and len(wrong & listed) >= 0.7 * len(wrong)
    for suspect in check.suspects[:5]:
        assert any(word in TOPICS[suspect.suggested] for word in texts[suspect.row.row - 1].split())


def test_words_and_bias_sum_to_the_difference_of_the_scores(checked):
    check, *_ = checked
    assert check.suspects[0].words
    for suspect in check.suspects[:8]:
        total = suspect.bias + sum(word.value for word in suspect.words)
        assert total == pytest.approx(suspect.margin, abs=1e-6)
        odds = np.log(suspect.probability / suspect.given_probability)
        assert suspect.margin == pytest.approx(odds, abs=1e-3)


def test_the_words_that_speak_for_a_label_are_its_own(checked):
    check, *_ = checked
    suspect = check.suspects[0]
    assert set(suspect.top(2)) & set(TOPICS[suspect.suggested])


def test_labels_are_counted_and_the_curve_is_measured(checked):
    check, *_ = checked
    assert {fact.label for fact in check.labels} == set(TOPICS) and sum(fact.n for fact in check.labels) == 240
    assert check.curve is not None and [point.n for point in check.curve.points][-1] == 192
    assert check.label_check is not None and check.label_check.accuracy > 0.85 and not check.is_stopped


@pytest.mark.parametrize("text", ["배송이 늦었어요 상자가 없어요", "酒店的位置非常好 但是房间有点小"])
def test_other_languages_are_judged_by_n_grams_and_still_add_up(text):
    rng = random.Random(1)
    texts = [" ".join(rng.choices(text.split(), k=2) + [("좋아요" if i % 2 else "싫어요")] * 2) for i in range(80)]
    labels = [("good" if i % 2 else "bad") if i not in (6, 9) else ("good" if i == 6 else "bad") for i in range(80)]
    check = heedful.check((texts, labels), curve=False, progress=False)
    assert {suspect.row.row - 1 for suspect in check.suspects} == {6, 9}
    assert check.label_check is not None and "en-base" not in check.label_check.judge
    suspect = check.suspects[0]
    assert suspect.bias + sum(word.value for word in suspect.words) == pytest.approx(suspect.margin, abs=1e-6)
    assert suspect.top(1)[0] in ("좋아요", "싫어요")


def test_contributions_are_those_of_the_fold_that_judged():
    texts, labels, _ = made(90, wrong=3)
    truth = np.array([sorted(TOPICS).index(label) for label in labels])
    judgement = judge_out_of_fold(texts, truth, 3, np.arange(90), with_curve=False, on_stage=lambda *_: None)
    for row in (0, 17, 88):
        sums = judgement.sums.of(row, (0, 1, 2))
        scores = sums.bias + sums.contributions.sum(axis=0)
        logs = np.log(judgement.probabilities[row])
        assert np.allclose(scores - scores[0], logs - logs[0], atol=1e-4)


def test_duplicates_share_a_fold_so_that_a_wrong_pair_is_found():
    texts, labels, _ = made(120, wrong=0)
    bad = "charged twice on my invoice and no refund of the payment"
    check = heedful.check(([*texts, bad, bad], [*labels, "app", "app"]), curve=False, progress=False)
    assert {121, 122} <= {suspect.row.row for suspect in check.suspects}
    assert check.duplicates.n_exact == 1 and check.duplicates.n_conflicts == 0


def test_duplicates_with_different_labels_come_first():
    texts, labels, _ = made(60, wrong=0)
    texts[7], texts[9] = texts[0], texts[1].upper() + "!"
    labels[7], labels[9] = "app", labels[1]
    check = heedful.check((texts, labels), labels=False, progress=False)
    groups = check.duplicates.groups
    assert check.duplicates.n_exact == 2 and check.duplicates.n_conflicts == 1
    assert groups[0].has_conflict and [row.row for row in groups[0].rows] == [1, 8] and groups[0].is_exact
    assert not groups[1].has_conflict


def test_test_rows_among_the_training_rows_are_leaks():
    texts, labels, _ = made(60, wrong=0)
    test = [texts[3].title(), texts[5] + " again", "quite another text about nothing that is here"]
    check = heedful.check((texts, labels), test=(test, ["app"] * 3), labels=False, progress=False)
    assert check.leaks.n_rows == 3 and check.leaks.n_exact == 1 and check.leaks.n_near <= 1
    group = next(group for group in check.leaks.groups if group.is_exact)
    assert [(row.row, row.is_test) for row in group.rows] == [(4, False), (1, True)]
    assert check.duplicates.n_exact == 0  # the test row is not a duplicate within the data


def test_columns_that_leak_and_sorted_rows_are_mentioned():
    texts, labels, _ = made(90, wrong=0)
    rows = sorted(zip(texts, labels, strict=True), key=lambda row: row[1])
    table = [{"text": text, "label": label, "team": label[:2], "id": i} for i, (text, label) in enumerate(rows)]
    leaks = {leak.column: leak for leak in heedful.check(table, labels=False, progress=False).leaking_columns}
    assert leaks["team"].accuracy == 1.0 and leaks[""].accuracy > 0.9 and "id" in leaks  # sorted, so the id tells too


def test_rare_labels_are_mentioned_and_not_judged():
    texts, labels, _ = made(120, wrong=0)
    check = heedful.check(([*texts, "odd one", "odd two"], [*labels, "rare", "rare"]), curve=False, progress=False)
    (rare,) = [fact for fact in check.labels if fact.is_rare]
    assert (rare.label, rare.n, rare.n_checked) == ("rare", 2, 0)
    assert not {121, 122} & {suspect.row.row for suspect in check.suspects}


def test_a_model_that_has_not_seen_the_rows_judges_them(wide_model, examples):
    rows = examples(60, seed=77)
    labels = [row.label for row in rows]
    labels[4] = "good" if labels[4] == "bad" else "bad"
    check = heedful.check(([row.text for row in rows], labels), model=wide_model, progress=False)
    assert check.label_check.judge == "the model tiny" and check.suspects[0].row.row == 5
    suspect = check.suspects[0]
    assert suspect.bias + sum(word.value for word in suspect.words) == pytest.approx(suspect.margin, abs=1e-4)
    assert check.curve is None


def test_a_model_that_was_trained_on_the_rows_does_not_judge_them(wide_model, monkeypatch):
    monkeypatch.setattr(run_module, "has_seen", lambda *_: True)
    texts, labels, _ = made(60, wrong=0)
    labels = ["good" if label == "app" else "bad" for label in labels]
    check = heedful.check((texts, labels), model=wide_model, curve=False, progress=False)
    assert "regression" in check.label_check.judge and any("was trained on rows" in note for note in check.notes)


def test_a_model_of_another_task_is_refused(pretrained_folder):
    with pytest.raises(HeedfulError, match="a model must give each text one label"):
        heedful.check((["a"], ["b"]), model=pretrained_folder, progress=False)


def test_without_torch_all_but_the_labels_is_checked(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    texts, labels, _ = made(120)
    texts = [f"{text} {'zebra' if label == 'app' else ''}" for text, label in zip(texts, labels, strict=True)]
    check = heedful.check((texts, labels), progress=False)
    assert check.label_check is None and check.duplicates is not None and check.shortcuts[0].word == "zebra"
    assert any("needs packages that are not installed" in note for note in check.notes)


def test_data_without_labels_are_checked_too(tmp_path):
    file = tmp_path / "in.csv"
    file.write_text("text,a,b\none text,1,2\nanother text,3,4\n", encoding="utf-8")
    check = heedful.check(file, progress=False)
    assert check.label_column is None and check.n_rows == 2 and any("a, b" in note for note in check.notes)
    lines = tmp_path / "in.txt"
    lines.write_text("one\ntwo\n", encoding="utf-8")
    assert heedful.check(lines, progress=False).n_rows == 2


def test_numbers_are_not_judged_as_labels():
    texts, *_ = made(60)
    check = heedful.check((texts, [str(i / 7) for i in range(60)]), progress=False)
    assert check.label_check is None and any("different values" in note for note in check.notes)


def test_several_yes_or_no_labels_are_not_judged(tmp_path):
    file = tmp_path / "in.csv"
    file.write_text("text,a,b\n" + "one text,1,0\nanother text,0,1\n" * 30, encoding="utf-8")
    check = heedful.check(file, label="a,b", progress=False)
    assert check.label_check is None and check.duplicates.n_exact == 58


def test_a_sample_is_judged_and_said(monkeypatch):
    texts, labels, _ = made(300)
    check = heedful.check((texts, labels), rows=90, curve=False, progress=False)
    assert check.label_check.n_checked == 90 and check.label_check.is_sample and check.n_rows == 300
    assert any("a random sample of 90 of 300 rows" in note for note in check.notes)


def test_rows_that_cannot_be_read_are_counted_and_the_file_is_not_changed(tmp_path):
    texts, labels, _ = made(60)
    content = "text,label\n" + "".join(f"{t},{n}\n" for t, n in zip(texts, labels, strict=True)) + "a,b,c,d\n"
    file = tmp_path / "in.csv"
    file.write_text(content, encoding="utf-8")
    check = heedful.check(file, labels=False, progress=False)
    assert check.n_rows == 60 and any("1 row could not be read" in note for note in check.notes)
    assert file.read_text(encoding="utf-8") == content


def test_ctrl_c_gives_what_is_known(tmp_path):
    texts, labels, _ = made(60)

    def stop(stage, *_):
        if stage == "reading sample":
            raise KeyboardInterrupt

    check = check_data((texts, labels), asked=Columns(), on_stage=stop)
    assert check.is_stopped and check.label_check is None and check.duplicates is not None
    assert check.notes[0].startswith("Stopped after 60 rows")


def test_ctrl_c_while_reading_gives_what_was_read(monkeypatch):
    texts, labels, _ = made(60)
    run = CheckRun(open_data(as_source((texts, labels)), Columns()), None, None, rows=0, seed=0,
                   on_stage=lambda *_: None)  # fmt: skip
    monkeypatch.setattr(run._scan.finder, "add", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    run.go(labels=True, curve=True)
    assert run.result().is_stopped and run.result().n_rows == 1


@pytest.mark.parametrize("bad", ["nowhere.csv", "empty.csv"])
def test_faults_are_errors(tmp_path, bad):
    (tmp_path / "empty.csv").write_text("text,label\n", encoding="utf-8")
    with pytest.raises(DataError):
        heedful.check(tmp_path / bad, progress=False)


def test_a_column_that_does_not_exist_is_an_error():
    with pytest.raises(DataError, match="stars"):
        heedful.check([{"text": "a", "label": "b"}], label="stars", progress=False)
    with pytest.raises(HeedfulError, match="rows is -1"):
        heedful.check([{"text": "a", "label": "b"}], rows=-1, progress=False)


def test_the_result_is_plain_values_for_json(checked):
    import json

    tree = json.loads(json.dumps(checked[0].to_dict()))
    assert tree["format"] == 1 and tree["label_check"]["suspects"][0]["words"] and tree["shortcuts"] is not None
