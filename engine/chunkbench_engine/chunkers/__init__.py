"""The strategies: from an annotated document to chunks."""
