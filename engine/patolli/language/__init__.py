"""YAML with places, packs and patches, the grammar, and what a pack means: the resolved program."""
