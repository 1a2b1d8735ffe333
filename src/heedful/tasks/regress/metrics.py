"""Metrics of regression."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from heedful.metrics.correlation import pearson, spearman
from heedful.metrics.printed import MetricsTable, PrintedMetrics


@dataclass(frozen=True, repr=False)
class RegressionMetrics(PrintedMetrics):
    """Errors and correlations of predicted numbers.

    Attributes:
        rmse: root mean squared error.
        mae: mean absolute error.
        r2: explained share of the variance; 0 for always predicting the mean.
        spearman: rank correlation.
        pearson: linear correlation.
        n: number of texts.

    Example:
        >>> regressor.evaluate((["lovely tea and cake", "dreadful tea and cake"], [5.0, 1.0]))
        RMSE ...   MAE ...   R² ...   Spearman ...   Pearson ...   2 texts
    """

    rmse: float
    mae: float
    r2: float
    spearman: float
    pearson: float
    n: int

    @property
    def sentence(self) -> str:
        """The metrics on one line."""
        sizes = f"RMSE {self.rmse:.4g}   MAE {self.mae:.4g}   R² {self.r2:.3f}"
        return f"{sizes}   Spearman {self.spearman:.3f}   Pearson {self.pearson:.3f}   {self.n:,} texts"

    @property
    def table(self) -> MetricsTable:
        """The metrics as text, which is one line."""
        return MetricsTable(self.sentence)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON.

        Returns:
            All fields.

        Example:
            >>> regressor.evaluate((["lovely tea and cake", "dreadful tea and cake"], [5.0, 1.0])).to_dict()["n"]
            2
        """
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
