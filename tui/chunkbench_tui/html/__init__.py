"""A run's results as one HTML page that needs nothing beside itself."""
