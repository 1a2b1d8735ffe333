"""Measurements against named rivals. Each writes `results/NAME.json`, of which `readme.py` makes tables."""
