"""The command `foodenvs`, also `python -m foodenvs`. Ctrl-C while it is imported is no error."""

import sys


def main() -> None:
    """Run `foodenvs.cli.main`; exit code 130 when interrupted, as there."""
    try:
        from foodenvs.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
