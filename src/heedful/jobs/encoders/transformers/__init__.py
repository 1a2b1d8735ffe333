"""Import of transformers from folders of Hugging Face and sentence-transformers."""
