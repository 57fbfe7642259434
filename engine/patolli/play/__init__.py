"""Bots, search, and the terminal."""
