"""Statistics of what each hop attends to over many texts."""
