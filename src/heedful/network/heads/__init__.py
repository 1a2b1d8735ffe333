"""Rows to scores."""
