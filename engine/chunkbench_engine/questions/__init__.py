"""Questions, their evidence, and the checks on both."""
