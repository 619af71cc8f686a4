"""Indexes of vectors and of words, and the ways of retrieving that are made of them."""
