"""What a seat observes of a match, as numbers; :mod:`patolli.observations` has the public names."""
