"""The benchmark: everything that computes. Importable and free of any user interface."""
