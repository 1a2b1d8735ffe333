"""Training that starts from unlabelled texts."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

from heedful import load
from heedful.api.train import train
from heedful.cli.main import main
from heedful.data.example import Example
from heedful.errors import ConfigError, DataError
from heedful.jobs.train.unlabelled import UNLABELLED, encoder_of
from heedful.training.history import NoteEvent

SUBJECTS = ["수리", "배송", "환불", "계정", "주문", "가게", "직원", "포장"]
SIGNS = {"bad": ["느림", "고장", "최악", "불쾌", "실망"], "good": ["빠름", "완벽", "최고", "친절", "만족"]}


def made(n: int, *, n_signs: int, seed: int = 0) -> list[Example]:
    """Return short Korean texts; three signs of one label stand in each."""
    rng = np.random.default_rng(seed)
    examples = []
    for i in range(n):
        label = ("bad", "good")[i % 2]
        signs = rng.choice(SIGNS[label][:n_signs], size=2, replace=False)
        examples.append(Example(" ".join([*rng.choice(SUBJECTS, size=3), *signs]), label))
    return examples


@pytest.fixture
def more(tmp_path):
    path = tmp_path / "more.txt"
    path.write_text("\n".join(example.text for example in made(800, n_signs=5, seed=1)), encoding="utf-8")
    return path


@pytest.fixture
def labelled():
    examples = made(60, n_signs=2)
    return [example.text for example in examples], [example.label for example in examples]


def test_signs_that_no_label_names_are_learned_from_unlabelled_texts(labelled, more, tmp_path):
    named = {*SIGNS["bad"][:2], *SIGNS["good"][:2]}
    unseen = [e for e in made(200, n_signs=5, seed=2) if not named & set(e.text.split())]

    def share(**settings) -> float:
        model = train(labelled, tmp_path / str(len(settings)), **settings)
        answers = model.predict([e.text for e in unseen])
        return float(np.mean([answer == e.label for answer, e in zip(answers, unseen, strict=True)]))

    assert share(unlabelled=str(more), start=UNLABELLED) > 0.95 > 0.7 > share(start="none")


def test_the_model_adds_up_and_its_config_trains_it_again(labelled, more, tmp_path, write_csv):
    rows = [Example(text, label) for text, label in zip(*labelled, strict=True)]
    notes = []
    train(
        write_csv(tmp_path / "in.csv", rows),
        tmp_path / "first",
        unlabelled=str(more),
        start=UNLABELLED,
        watcher=lambda event: notes.append(event.message) if type(event) is NoteEvent else None,
    )
    assert any("learning vectors from 8" in note for note in notes)
    model = load(tmp_path / "first")
    explained = model.explain("배송 최악 실망 zzz")
    assert np.allclose(explained.bias + explained.contributions.sum(axis=0), explained.scores, atol=1e-5)
    config = tomllib.loads((tmp_path / "first" / "config.toml").read_text(encoding="utf-8"))
    assert config["train"]["start"] == UNLABELLED and config["data"]["unlabelled"] == "../more.txt"
    again = train(None, tmp_path / "again", config=tmp_path / "first" / "config.toml")
    assert np.allclose(again.scores(["배송 최악"]), model.scores(["배송 최악"]), atol=1e-4)


def test_auto_compares_the_unlabelled_texts_with_ngrams(labelled, more, tmp_path, capsys, write_csv):
    rows = [Example(text, label) for text, label in zip(*labelled, strict=True)]
    write_csv(tmp_path / "in.csv", rows)
    main(["train", str(tmp_path / "in.csv"), "-o", str(tmp_path / "m"), "--unlabelled", str(more)])
    assert "tf-idf of n-grams" in (said := capsys.readouterr().err) and f"{UNLABELLED} 1.000" in said


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"start": "none"}, "data.unlabelled is set and train.start is 'none'"),
        ({"start": UNLABELLED, "unlabelled": None}, "set data.unlabelled to a file"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(labelled, more, tmp_path, settings, expected):
    with pytest.raises(ConfigError, match=expected):
        train(labelled, tmp_path / "m", **{"unlabelled": str(more), **settings})


def test_taggers_do_not_start_from_unlabelled_texts(more, tmp_path):
    path = tmp_path / "tags.jsonl"
    path.write_text('{"tokens": ["a", "b"], "tags": ["O", "B-X"]}\n' * 30, encoding="utf-8")
    with pytest.raises(ConfigError, match="task tag cannot start from unlabelled texts"):
        train(path, tmp_path / "m", task="tag", unlabelled=str(more))


def test_few_or_missing_texts_are_refused(labelled, tmp_path):
    (tmp_path / "few.txt").write_text("one\ntwo\n")
    with pytest.raises(DataError, match="2 different texts, expected at least 100"):
        train(labelled, tmp_path / "m", unlabelled=str(tmp_path / "few.txt"))
    with pytest.raises(DataError, match="no such file"):
        train(labelled, tmp_path / "m", unlabelled=str(tmp_path / "missing.txt"))


def test_an_encoder_of_texts_starts_as_a_mean_of_its_vectors():
    encoder = encoder_of([example.text for example in made(300, n_signs=5)])
    assert encoder.weights["embed.weight"].shape[0] == len(encoder.featuriser)
    assert abs(encoder.weights["pooler.hops.weight"]).max() < 0.01
