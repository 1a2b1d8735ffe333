"""The model folder: what is in it, written so that it is never half there, read so that it runs no code."""
