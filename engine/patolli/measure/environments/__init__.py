"""Matches for programs that learn; :mod:`patolli.environments` makes them."""
