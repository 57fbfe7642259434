"""Coverage of the rules in YAML: which effects were carried out, and which ways were taken."""
