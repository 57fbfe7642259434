"""P0201 to P0206: names and what they stand for."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import after, model

_OATH = "# model2.yaml\ndocument: model\nkinds:\n  oath: {facts: {number: int}}\n# oaths.yaml\ndocument: pieces\nkind: oath\npieces:\n"
_ACTIVE = _OATH.replace("{facts: {number: int}}", "{facts: {number: int}, active: it.number < 2}")
_MAP = "    prefix: b_\n    facts: {{worth: {{type: int, map: [{}, ..], legend: {{a: 3, .: 0}}}}}}\n"
_SWORN = "  brief: {number: 1, triggers: [{after: earn, do: gain 1 coin}]}\n"

CODES = table(
    Code(
        "P0201",
        "unknown name",
        "error",
        "Nothing declares this name.",
        "It is misspelt, or what it should name is missing. The help line gives the nearest name that is known.",
        after("gain 1 coyn"),
        after("gain 1 coin"),
    ),
    Code(
        "P0202",
        "name of another sort",
        "error",
        "The name is known, but stands for something that cannot be used here.",
        "A group is not a counter, and a function is not a rule: each sort has places of its own.",
        after("gain 1 good"),
        after("gain 1 any good"),
    ),
    Code(
        "P0203",
        "name taken",
        "error",
        "A name is declared a second time, hides another one, or is a word of the language.",
        "All ids of a ruleset share one namespace, so that a name means the same wherever it stands.",
        model("counters:\n  card: {per: player}\n"),
        model("counters:\n  gem: {per: player}\n"),
    ),
    Code(
        "P0204",
        "unknown or missing fact",
        "error",
        "A piece has a fact that its kind does not declare, or lacks one that has no default.",
        "Facts are declared once, in the kind, so that every piece of the kind has all of them.",
        _OATH + "  brief: {nunber: 1, number: 1}\n",
        _OATH + "  brief: {number: 1}\n",
    ),
    Code(
        "P0205",
        "contradiction",
        "error",
        "A declaration needs another one that is missing, such as triggers on a kind that is never active.",
        "Triggers of a piece belong to whoever it works for, and the kind says when that is: `active: it in hand(me)`.",
        _OATH + _SWORN,
        _ACTIVE + _SWORN,
    ),
    Code(
        "P0206",
        "map that does not fit",
        "error",
        "The map of a grid has rows of another size than the grid, or a sign that the legend does not explain.",
        "A map gives every cell its value, sign by sign; where it does not fit, cells would have none.",
        model("grids:\n  board:\n    rows: 2\n    columns: 2\n" + _MAP.format("a...")),
        model("grids:\n  board:\n    rows: 2\n    columns: 2\n" + _MAP.format("a.")),
    ),
)
