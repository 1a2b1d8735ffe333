"""Measurements against named rivals. Each writes `results/NAME.json`; the tables of README.md and docs/results.md are made from those."""
