"""Checking labelled data: `heedful check`."""
