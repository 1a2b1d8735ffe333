"""Reading large files in parts: columns, split points, rows."""
