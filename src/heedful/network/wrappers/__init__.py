"""Additions to any encoder."""
