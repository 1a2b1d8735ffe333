"""Sound files: frames of log-mel bands."""
