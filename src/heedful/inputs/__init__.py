"""What comes in: one folder for each kind of input."""
