"""Training a small model from a teacher: it is tuned, it labels texts, and the model learns from its scores."""
