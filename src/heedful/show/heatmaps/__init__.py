"""Heatmaps: terminal, page, picture."""
