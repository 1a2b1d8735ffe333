"""Why two texts are similar: terminal and page."""
