"""Leave the broken packs of ``golden`` to their own test: the plugin would play their scenarios."""

collect_ignore = ["golden"]
