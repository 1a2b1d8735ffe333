"""The words and phrases that drive each label, over a corpus."""
