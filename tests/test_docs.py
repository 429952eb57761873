"""Pages and README say what the code does."""

from foodenvs.page import stale


def test_the_tables_of_a_page_are_those_of_the_declarations(game):
    assert stale(game) == [], f"run: python -m foodenvs.page {game.name}"
