"""Translations and alignments as pages."""
