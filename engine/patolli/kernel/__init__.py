"""What compiled rules call: payments, pieces, shapes, regions, chance."""
