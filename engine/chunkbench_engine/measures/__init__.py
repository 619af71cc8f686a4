"""Measures and their uncertainty."""
