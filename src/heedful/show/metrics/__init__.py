"""The metrics of an evaluation, for terminals and notebooks."""
