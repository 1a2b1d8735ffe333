"""What each hop reads: terminal and page."""
