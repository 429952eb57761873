"""`python -m foodenvs` is the command `foodenvs`."""

from foodenvs.cli import main

main()
