"""Checks of labelled data: terminal and page."""
