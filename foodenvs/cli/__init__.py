"""The `foodenvs` command, one module for each group of commands. None has a rule of its own."""

from foodenvs.cli import checks, games, grading, matches, people  # noqa: F401
from foodenvs.cli.base import app, main

__all__ = ["app", "main"]
