"""Labelled texts: terminal, page, picture."""
