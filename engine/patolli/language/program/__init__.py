"""The resolved program: what a ruleset means, in typed nodes, each kind declared once."""
