"""`foodenvs.page`, the tables of a game's page; it stands in `foodenvs.docs.tables`."""

from foodenvs.docs.tables import main, refresh, stale, tables

__all__ = ["main", "refresh", "stale", "tables"]

if __name__ == "__main__":
    main()
