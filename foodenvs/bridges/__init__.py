"""Every game in other libraries."""
