"""Pages beside the docstrings, and the tables in them."""
