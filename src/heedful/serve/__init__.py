"""Models over HTTP: an OpenAI-compatible API and a web page."""
