"""Grading agents that nobody trusts: each plays in a process of its own."""
