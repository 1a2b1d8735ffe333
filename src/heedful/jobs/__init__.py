"""One file for each thing a user asks for, from paths to results. They print nothing."""
