"""Screens of the app, one a mode."""
