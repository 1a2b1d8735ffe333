"""A number for each input."""
