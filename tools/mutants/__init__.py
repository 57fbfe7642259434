"""Weaken the checker one entry at a time, and see whether the tests notice."""
