"""Mistakes that a type checker reports, each on a line that ends with `# wrong`."""

from __future__ import annotations

import heedful
from heedful import Classifier, Encoder


def mistakes(model: Classifier, encoder: Encoder) -> None:
    heedful.train("reviews.csv", epoch=3)  # wrong
    heedful.train("reviews.csv", encoder="lstm")  # wrong
    heedful.train("reviews.csv", epochs="three")  # wrong
    heedful.pretrain("corpus.txt", vector_widht=16)  # wrong
    encoder.encode(["one text"], normalise_embeddings=True)  # wrong
    model.predict(["lovely soup"]).upper()  # wrong
    print(model.explain(["lovely soup"]).label)  # wrong
    print(model.evaluate("test.csv").rmse)  # wrong
