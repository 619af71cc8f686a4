"""Vector indexes: one collection for each corpus, strategy and model."""
