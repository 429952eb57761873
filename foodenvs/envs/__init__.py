"""Every game as an environment: of PettingZoo, of Gymnasium, many at once, for Stable-Baselines3."""
