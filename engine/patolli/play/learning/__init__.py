"""What a position is worth, learned: numbers that there are for every pack, a small network, and the files of it."""
