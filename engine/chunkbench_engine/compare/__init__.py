"""Two runs, or a run and a baseline: what differs, and whether the difference is real."""
