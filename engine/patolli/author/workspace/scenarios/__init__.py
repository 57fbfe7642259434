"""What can be said of scenarios without playing them: read, choose packs, type the texts, check."""
