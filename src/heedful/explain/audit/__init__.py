"""Audits of heatmaps: measurements, checks, verdict."""
