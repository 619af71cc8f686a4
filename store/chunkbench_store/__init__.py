"""What is known: the schema of the database, and typed reads and writes."""
