"""Changes of the schema since the first, a module each."""
