"""What can be said of chunks before any question is asked."""
