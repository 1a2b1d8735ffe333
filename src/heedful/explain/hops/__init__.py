"""What each hop reads over many texts."""
