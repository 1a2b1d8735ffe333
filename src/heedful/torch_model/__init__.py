"""A trained model in torch: gradients, and predictions with other attention weights."""
