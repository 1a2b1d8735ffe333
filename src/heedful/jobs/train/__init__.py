"""From labelled data to a model folder: `heedful train`."""
