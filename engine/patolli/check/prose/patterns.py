"""The words of signs, comparisons and quantifiers."""

from __future__ import annotations

COMPARED = {
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
    "in": "is one of",
    "not in": "is none of",
}
SIGNS = {"+": "plus", "-": "minus", "*": "times", "div": "divided by", "mod": "modulo"}
GATHERED = {
    "count": "the number of {things}",
    "sum": "the sum of {value} over {things}",
    "min": "the smallest {value} of {things}",
    "max": "the largest {value} of {things}",
    "first": "the first of {things}",
    "only": "the only one of {things}",
    "lowest": "the one of {things} with the lowest {by}",
    "highest": "the one of {things} with the highest {by}",
    "sorted": "{things} in the order of {by}",
    "distinct": "the different values of {value} for {things}",
    "list": "{things}",
}
WHOLE = GATHERED | {
    "sum": "the sum of {things}",
    "min": "the smallest of {things}",
    "max": "the largest of {things}",
    "distinct": "the different ones of {things}",
}
"""Those over the items of a list itself."""
