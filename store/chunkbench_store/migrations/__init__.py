"""Migrations after the first, one a module."""
