"""Audits: terminal and page."""
