"""In a module of its own, so that a test can change it."""

LIMIT = 3
