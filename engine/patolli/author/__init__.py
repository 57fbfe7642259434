"""One entry point to a pack, its scenarios, and what there is to know of its entries."""
