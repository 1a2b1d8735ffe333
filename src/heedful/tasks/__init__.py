"""What goes out: one folder for each task."""
