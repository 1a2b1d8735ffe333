"""Metrics of regression."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from heedful.metrics.correlation import pearson, spearman


@dataclass(frozen=True)
class RegressionMetrics:
    """Errors and correlations of predicted numbers."""

    rmse: float  # root mean squared error
    mae: float  # mean absolute error
    r2: float  # explained share of the variance: 0 for always predicting the mean
    spearman: float  # rank correlation
    pearson: float  # linear correlation
    n: int

    @property
    def sentence(self) -> str:
        """The metrics on one line."""
        sizes = f"RMSE {self.rmse:.4g}   MAE {self.mae:.4g}   R² {self.r2:.3f}"
        return f"{sizes}   Spearman {self.spearman:.3f}   Pearson {self.pearson:.3f}   {self.n:,} texts"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def regression_metrics(truth: ArrayLike, answers: ArrayLike) -> RegressionMetrics:
    """Compare numbers; r2 is 0 if the truth is constant."""
    y, predicted = (np.asarray(side, dtype=np.float64) for side in (truth, answers))
    error = predicted - y
    spread = float(((y - y.mean()) ** 2).sum()) if len(y) else 0.0
    return RegressionMetrics(
        rmse=float(np.sqrt((error**2).mean())) if len(y) else float("nan"),
        mae=float(np.abs(error).mean()) if len(y) else float("nan"),
        r2=1.0 - float((error**2).sum()) / spread if spread > 0 else 0.0,
        spearman=spearman(y, predicted),
        pearson=pearson(y, predicted),
        n=len(y),
    )
