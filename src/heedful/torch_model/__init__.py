"""A finished model in torch: gradients, and answers to other weights."""
