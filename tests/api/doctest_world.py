"""Models, data and files for the examples in docstrings, made in a few seconds."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import heedful

TINY: dict[str, Any] = {
    "start": "none", "embed_width": 16, "units": 8, "attention_width": 8, "n_hops": 2, "epochs": 12, "lr": 0.03,
    "batch_size": 8, "dropout": 0.0, "word_dropout": 0.0, "seed": 1, "threads": 1,
}  # fmt: skip
DISHES = ["soup", "bread", "tea", "cake", "rice"]
FRAMES = ["the {dish} was {sign}", "{sign} {dish}", "a {sign} {dish} again", "we had {sign} {dish}"]
SIGNS = {"good": "lovely", "bad": "dreadful"}
WAITERS = ["a slow waiter", "the waiter was rude", "a rude and slow waiter", "the slow waiter came late"]


def reviews() -> list[tuple[str, str]]:
    return [
        (frame.format(dish=dish, sign=sign), label)
        for frame, dish, (label, sign) in product(FRAMES, DISHES, SIGNS.items())
    ]


def make_world(folder: Path) -> dict[str, Any]:
    """Write files to a folder and return the names that examples use."""
    texts, labels = map(list, zip(*reviews(), strict=True))
    stars = [5.0 if label == "good" else 1.0 for label in labels]
    write_files(folder, texts, labels)
    food = [[1, 0] for _ in texts[:16]]
    both = [f"{text} and {waiter}" for text, waiter in zip(texts, WAITERS * 4, strict=False)]
    topics = ([*texts[:16], *WAITERS * 4, *both], [*food, *[[0, 1]] * 16, *[[1, 1]] * 16])
    names = ["food", "service"]
    rows = [{"text": text, **dict(zip(names, row, strict=True))} for text, row in zip(*topics, strict=True)]
    train = heedful.train
    index = heedful.Index.create(folder / "shop", "en-small")
    index.add([{"text": "a cat on the sofa", "price": 3}, {"text": "a train to rome", "price": 90}])
    return {
        "texts": texts,
        "labels": labels,
        "stars": stars,
        "model": train((texts, labels), folder / "model", **TINY),
        "regressor": train((texts, stars), folder / "regressor", task="regress", **TINY),
        "multilabel": train(rows, folder / "multilabel", text="text", label="food,service", **TINY),
        "tagger": train(folder / "train.conll", folder / "tagger", task="tag", **TINY),
        "pair_model": train(folder / "pairs.csv", folder / "pairs", task="pair", head="bilinear", **TINY),
        "translator": translator(folder),
        "encoder": heedful.load("en-small"),
        "transformer": heedful.load("en-tiny"),
        "index": index,
        "classifier": classifier(texts, labels),
    }


def write_files(folder: Path, texts: list[str], labels: list[str]) -> None:
    rows = [f"{text},{label}\n" for text, label in zip(texts, labels, strict=True)]
    (folder / "reviews.csv").write_text("review,stars\n" + "".join(rows), encoding="utf-8")
    new = [
        (f"{sign} {dish} and {other}", label)
        for dish, other in product(DISHES, DISHES)
        for label, sign in SIGNS.items()
    ]
    (folder / "test.csv").write_text("text,label\n" + "".join(f"{a},{b}\n" for a, b in new), encoding="utf-8")
    topics = "text,food,service\nlovely soup and bread,1,0\na slow and rude waiter,0,1\n"
    (folder / "topics.csv").write_text(topics, encoding="utf-8")
    corpus = [f"{text} {i}." for i, text in enumerate(texts)]
    (folder / "corpus.txt").write_text("\n".join(corpus), encoding="utf-8")
    people, places = ["anna", "otto", "maria", "paul"], ["rome", "paris", "berlin", "oslo"]
    lines = [f"{a} B-person\nlives O\nin O\n{b} B-place\n\n" for a, b in product(people, places)]
    lines += [f"{b} B-place\nis O\nfar O\nfrom O\n{a} B-person\n\n" for a, b in product(people, places)]
    (folder / "train.conll").write_text("".join(lines), encoding="utf-8")
    (folder / "tags.conll").write_text(
        "anna B-person\nis O\nfrom O\nrome B-place\n\notto B-person\nis O\nin O\noslo B-place\n", encoding="utf-8"
    )
    animals = ["dog", "cat", "horse"]
    pairs = [f"a {a} sleeps,the {b} runs,{'same' if a == b else 'other'}\n" for a, b in product(animals, animals)] * 4
    (folder / "pairs.csv").write_text("premise,hypothesis,label\n" + "".join(pairs), encoding="utf-8")
    numbers = {"one": "eins", "two": "zwei", "three": "drei", "four": "vier"}
    said = [(f"{a} {b}", f"{numbers[a]} {numbers[b]}") for a, b in product(numbers, numbers)] * 4
    for name, some in (
        ("numbers.tsv", said),
        ("translations.tsv", [("one two one", "eins zwei eins"), ("four", "vier")]),
    ):
        (folder / name).write_text("en\tde\n" + "".join(f"{a}\t{b}\n" for a, b in some), encoding="utf-8")


def translator(folder: Path) -> heedful.Model:
    small = {"vocab_size": 40, "embed_width": 12, "units": 10, "decoder_units": 20, "epochs": 8, "dropout": 0.0}
    return heedful.train(
        folder / "numbers.tsv", folder / "translator", task="translate", text="en", label="de", lr=0.03, **small
    )


def classifier(texts: list[str], labels: list[str]) -> Any:
    from heedful.estimators import SelfAttentiveClassifier

    return SelfAttentiveClassifier(start="none", epochs=10, units=8, settings={"threads": 1}).fit(texts, labels)
