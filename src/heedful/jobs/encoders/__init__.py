"""Making sentence encoders: `heedful distill` and `heedful pretrain`."""
