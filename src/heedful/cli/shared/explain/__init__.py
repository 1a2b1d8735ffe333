"""`heedful explain` for each kind of answer."""
