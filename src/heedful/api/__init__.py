"""Functions of the package `heedful`: what a user imports."""
