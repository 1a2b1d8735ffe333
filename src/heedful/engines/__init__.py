"""A command over more rows than one process should do: a plan of parts, done by workers of an engine."""
