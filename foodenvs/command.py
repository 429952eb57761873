"""The command `foodenvs`: importing what it needs takes a second, in which Ctrl-C is no error."""

import sys


def main() -> None:
    """Run `foodenvs.cli.main`; exit code 130 when interrupted, as there."""
    try:
        from foodenvs.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()
