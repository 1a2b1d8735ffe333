"""Any number of labels for each input."""
