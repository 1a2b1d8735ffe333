"""The training loop: steps, optimizers, checkpoints, several processes."""
