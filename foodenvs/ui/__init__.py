"""Games between people and agents: in the terminal, in the browser, in a window."""
