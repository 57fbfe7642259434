"""Mutation of content: change one place of the rules at a time, and see whether a scenario notices."""
