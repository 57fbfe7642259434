"""Learn what positions of a pack are worth, by playing it."""
