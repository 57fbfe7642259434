"""Print and play: cards and boards of a game on paper."""
