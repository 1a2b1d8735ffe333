"""File formats: CSV, TSV, JSON lines, parquet, NumPy."""
