"""Models over HTTP: an API that clients already speak, and a page to look at."""
