"""What is wrong in a table of texts without a model: duplicates, faulty rows, columns that leak the label."""
