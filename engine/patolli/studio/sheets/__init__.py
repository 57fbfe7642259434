"""Print and play: the cards and boards of a game on paper, to be cut out."""
