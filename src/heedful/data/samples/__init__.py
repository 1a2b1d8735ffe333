"""Sample data that comes with the package."""
