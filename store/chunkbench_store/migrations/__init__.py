"""Changes of the schema after its first release, one module each."""
