"""Figures for answers that are numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from heedful.metrics.correlation import pearson, spearman


@dataclass(frozen=True)
class RegressionFigures:
    """How near the answers are to the truth, and whether they are in the same order."""

    rmse: float  # root of the mean squared error
    mae: float  # mean of the errors without their sign
    r2: float  # share of the variance that is explained: 0 for always answering the mean
    spearman: float  # of the orders
    pearson: float  # of the numbers themselves
    n: int

    @property
    def sentence(self) -> str:
        """The figures in a line."""
        sizes = f"RMSE {self.rmse:.4g}   MAE {self.mae:.4g}   R² {self.r2:.3f}"
        return f"{sizes}   Spearman {self.spearman:.3f}   Pearson {self.pearson:.3f}   {self.n:,} texts"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def regression_figures(truth: ArrayLike, answers: ArrayLike) -> RegressionFigures:
    """Compare numbers; where all truths are equal, r2 is 0."""
    y, found = (np.asarray(side, dtype=np.float64) for side in (truth, answers))
    error = found - y
    spread = float(((y - y.mean()) ** 2).sum()) if len(y) else 0.0
    return RegressionFigures(
        rmse=float(np.sqrt((error**2).mean())) if len(y) else float("nan"),
        mae=float(np.abs(error).mean()) if len(y) else float("nan"),
        r2=1.0 - float((error**2).sum()) / spread if spread > 0 else 0.0,
        spearman=spearman(y, found),
        pearson=pearson(y, found),
        n=len(y),
    )
