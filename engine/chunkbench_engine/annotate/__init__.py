"""Tokens, sentences, paragraphs and blocks: made once a document, shared, with their cost."""
