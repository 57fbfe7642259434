"""What a change of the rules does: the facts of many matches, kept and compared."""
