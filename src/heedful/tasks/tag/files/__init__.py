"""Files of tagged tokens: CoNLL columns, lists."""
