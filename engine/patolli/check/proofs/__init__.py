"""What makes a ruleset trustworthy: no payment that fails, no choice that is empty, no fault, no secret revealed."""
