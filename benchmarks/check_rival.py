"""cleanlab's ranks of labels, in its own venv: PYTHON check_rival.py IN.npz TEXTS.json OUT.npz. Larger is worse."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from cleanlab.rank import get_label_quality_scores
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline

METHODS = ("self_confidence", "normalized_margin", "confidence_weighted_entropy")


def ranks(given: NDArray[np.int64], probabilities: NDArray[np.float64], source: str) -> dict[str, NDArray[np.float64]]:
    """Return the rank of each row by each of cleanlab's methods; self-confidence is its default."""
    return {f"cleanlab {source} {m}": -get_label_quality_scores(given, probabilities, method=m) for m in METHODS}


def main() -> None:
    """Rank by the given probabilities, and by those of tf-idf."""
    source, texts_file, out = map(Path, sys.argv[1:])
    data: Any = np.load(source)
    texts = json.loads(texts_file.read_text(encoding="utf-8"))
    model = make_pipeline(
        TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True), LogisticRegression(C=10, max_iter=200)
    )
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    tfidf = cross_val_predict(model, texts, data["given"], cv=folds, method="predict_proba")
    made: dict[str, Any] = ranks(data["given"], data["probabilities"], "ours") | ranks(data["given"], tfidf, "tfidf")
    np.savez(out, **made)


if __name__ == "__main__":
    main()
