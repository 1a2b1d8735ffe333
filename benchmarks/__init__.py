"""Measurements against named rivals. Each writes `results/NAME.json`; the README's tables are made from those."""
