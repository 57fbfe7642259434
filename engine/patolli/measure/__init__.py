"""Many matches: simulation, tournaments, training, the lab, and environments for learning."""
