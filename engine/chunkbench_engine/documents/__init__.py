"""Text in, canonical text and offsets out."""
