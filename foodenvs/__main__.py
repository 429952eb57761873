"""`python -m foodenvs` is the command `foodenvs`."""

from foodenvs.command import main

main()
