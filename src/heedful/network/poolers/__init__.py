"""States to rows and weights: attention and its baselines."""
