"""Large files in parts: columns, split points, rows."""
