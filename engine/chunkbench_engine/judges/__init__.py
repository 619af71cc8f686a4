"""Judges: a grade for each question and retrieved chunk."""
