"""P0101 to P0103: the small texts of a pack: effects, expressions, costs, signatures and types."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import after, model, rules

CODES = table(
    Code(
        "P0101",
        "text that does not follow the grammar",
        "error",
        "An effect, an expression or a cost cannot be read at this place.",
        "What is behind the place could mean anything. The help line says what was expected, or which word was "
        "probably meant.",
        after("gain 1 coin and"),
        after("gain 1 coin and 1 seed"),
    ),
    Code(
        "P0102",
        "not a signature",
        "error",
        "The name of a function or rule is not followed by a list of parameters.",
        "A parameter is a type and a variable, `card c`, or a type alone, which is then the name of the variable too.",
        rules("functions:\n  worth(card c other): c.number\n"),
        rules("functions:\n  worth(card c): c.number\n"),
    ),
    Code(
        "P0103",
        "not a type",
        "error",
        "A text where a type belongs is not written like one.",
        "A type is a word such as `int`, a kind or a group, with `list of` before it or `or none` behind it; bounds and "
        "a default may follow: `int 1..6 = 1`.",
        model("kinds:\n  token: {fields: {pips: int 1..6 =}}\n"),
        model("kinds:\n  token: {fields: {pips: int 1..6 = 1}}\n"),
    ),
)
