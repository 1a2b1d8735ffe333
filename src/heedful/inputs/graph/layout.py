"""Where the nodes of a small graph are drawn: as far apart on paper as there are steps between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

ROUNDS = 120
APART = 1.5  # steps more than the longest way, between nodes that no way joins
STRETCH = 1.5  # one direction is drawn at most so much larger than the other

Points = NDArray[np.float64]  # (node, 2)


def laid_out(n: int, edges: NDArray[np.int64]) -> Points:
    """Return a place for each node, from 0 to 1 in both directions; the same graph always gives the same.

    Stress majorisation (Gansner, Koren & North 2004): Σ (‖x_i − x_j‖ − d_ij)² / d_ij² falls in each round.
    """
    steps = distances(n, edges)
    weights = np.where(steps > 0, 1.0 / np.maximum(steps, 1.0) ** 2, 0.0)  # (node, node)
    solve = np.linalg.pinv(np.diag(weights.sum(axis=1)) - weights)
    points = _start(steps)
    for _ in range(ROUNDS if n > 2 else 0):
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        pull = np.where(apart > 1e-9, weights * steps / np.maximum(apart, 1e-9), 0.0)
        points = solve @ ((np.diag(pull.sum(axis=1)) - pull) @ points)
    return _in_unit_square(points)


def distances(n: int, edges: NDArray[np.int64]) -> Points:
    """Return how many edges the shortest way between two nodes has: (node, node)."""
    linked = np.zeros((n, n), dtype=bool)
    linked[edges[:, 0], edges[:, 1]] = linked[edges[:, 1], edges[:, 0]] = True
    steps, reached, n_steps = np.zeros((n, n)), np.eye(n, dtype=bool), 0
    front = reached
    while front.any():
        n_steps += 1
        front = ((front.astype(np.float32) @ linked) > 0) & ~reached
        steps[front] = n_steps
        reached = reached | front
    steps[~reached] = steps.max() + APART
    return steps


def _start(steps: Points) -> Points:
    """Return points about as far apart as the steps say (classical scaling), a little shaken: none coincide."""
    n = len(steps)
    centre = np.eye(n) - 1.0 / n
    values, directions = np.linalg.eigh(-0.5 * centre @ steps**2 @ centre)
    points = np.zeros((n, 2))
    for i, k in enumerate(np.argsort(-values)[: min(2, n)]):
        column = directions[:, k]
        sign = 1.0 if column[np.abs(column).argmax()] > 0 else -1.0  # which of the two is found is chance
        points[:, i] = sign * column * np.sqrt(max(values[k], 0.0))
    return points + np.random.default_rng(0).normal(scale=0.05, size=points.shape)


def _in_unit_square(points: Points) -> Points:
    """Turn the longest direction to lie flat, and fill the square without much distortion."""
    points = points - points.mean(axis=0)
    points = points @ np.linalg.svd(points, full_matrices=False)[2].T if len(points) > 2 else points[:, :1] * [1.0, 0.0]
    low, size = points.min(axis=0), np.ptp(points, axis=0)
    size = np.maximum(size, max(float(size.max()), 1e-9) / STRETCH)
    return np.asarray((points - low) / size + (1.0 - np.ptp(points, axis=0) / size) / 2.0)
