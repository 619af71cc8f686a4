"""Language models, through Ollama."""
