"""Published counts beside our own."""
