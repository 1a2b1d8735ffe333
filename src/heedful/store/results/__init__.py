"""Results of a model, in its folder: audit.json, hops.json, words.json."""
