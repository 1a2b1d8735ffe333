"""One answer for two texts."""
