"""One module for each job, from paths to results. Jobs print nothing."""
