"""Why: what the model read, as plain values."""
