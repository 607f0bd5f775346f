"""Small games, solved exactly."""
