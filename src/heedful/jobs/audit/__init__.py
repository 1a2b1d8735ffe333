"""Measuring whether heatmaps can be trusted: `heedful audit`."""
