"""Where training starts: from scratch, from an encoder, from another model."""
