"""Commands for sentence encoders and their vectors."""
