"""Parts of pictures."""
