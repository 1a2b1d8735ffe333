"""A user's program: every result is used as its type."""

from __future__ import annotations

import heedful
from heedful import Classifier, Encoder, PairModel, Regressor, Tagger, Translator


def classify() -> None:
    model = heedful.train("reviews.csv", "model", text="review", label="stars", epochs=3, encoder="bilstm", seed=1)
    if not isinstance(model, Classifier):
        raise TypeError
    metrics = model.evaluate("test.csv")
    accuracy: float = metrics.accuracy + metrics.classes[0].f1
    label: str = model.predict("lovely soup")
    labels: list[str] = model.predict(["lovely soup", "dreadful soup"])
    best, probability = model.predict("lovely soup", top=2)[0]
    ranked: list[list[tuple[str, float]]] = model.predict(["lovely soup"], top=2)
    words: list[tuple[str, float]] = model.explain("lovely soup").top(3)
    pages: list[str] = [explanation.to_html() for explanation in model.explain(["lovely soup"])]
    verdict: str = heedful.audit(model, "test.csv").verdict.words
    removed: list[str] = [word.text for word in model.flip("lovely soup").words]
    shape: tuple[int, ...] = model.predict_proba(["lovely soup"]).shape
    strongest: str = model.words("test.csv").of("good").supporting[0].form
    same: bool = Classifier.load(model.save("copy")).predict("lovely soup") == label
    score: float = heedful.evaluate(model, "test.csv").macro_f1
    print(accuracy, labels, best.upper(), probability + 1, ranked, words, pages, verdict, removed, shape, same, score)
    print(strongest)


def embed() -> None:
    encoder = Encoder.load("en-small")
    vectors = encoder.encode(["one text", "another"], normalize_embeddings=True, batch_size=32)
    width: int = encoder.embed("one text").shape[0]
    cosine: float = encoder.similarity("a cat", "a kitten").score
    cosines: float = float(encoder.similarity(vectors, vectors)[0, 1])
    hits = heedful.Index.create("index", encoder).search("a kitten", n=3)
    texts: list[str] = [hit.text for hit in hits]
    small: Encoder = heedful.distill("en-small", "corpus.txt", "small", vector_width=16, epochs=1)
    print(vectors.shape, width, cosine, cosines, texts, small.width)


def others(tagger: Tagger, pairs: PairModel, translator: Translator, regressor: Regressor) -> None:
    tags: tuple[str, ...] = tagger.predict("anna lives in rome")
    many: list[tuple[str, ...]] = tagger.predict([["anna", "lives"]])
    spans = tagger.tag("anna lives in rome").spans
    seen: tuple[str, ...] = tagger.explain("anna lives in rome").labels
    target: str = tagger.explain("anna lives in rome", word=4).target
    answer: str | float = pairs.predict(("a dog", "a cat"))
    why: str = pairs.explain(("a dog", "a cat")).label
    several: list[str] = [each.label for each in pairs.explain([("a dog", "a cat")])]
    text: str = translator.predict("one two")
    texts: list[str] = translator.predict(["one two"])
    words: tuple[str, ...] = translator.explain("one two").source
    number: float = regressor.predict("lovely soup") + regressor.evaluate("test.csv").rmse
    bleu: float = translator.evaluate("test.tsv").bleu
    print(tags, many, spans, seen, target, answer, why, several, text, texts, words, number, bleu)
