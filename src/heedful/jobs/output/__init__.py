"""Results to files: CSV, TSV, JSON lines, parquet, NumPy."""
