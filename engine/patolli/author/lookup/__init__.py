"""What there is to know of an entry of a pack, as data: for the command line and for pages."""
