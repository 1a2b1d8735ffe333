"""One label for each input."""
