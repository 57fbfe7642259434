"""P0301 to P0309: types."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import after, rules

CODES = table(
    Code(
        "P0301",
        "wrong type",
        "error",
        "A value is of another type than its place needs.",
        "Nothing is converted in silence: a number is not a condition, and a card is not a coin.",
        after("if coin: gain 1 point"),
        after("if coin > 3: gain 1 point"),
    ),
    Code(
        "P0302",
        "wrong number of arguments",
        "error",
        "A rule, function, counter or place is given more or fewer arguments than it has.",
        "What is left out cannot be guessed. Only the first player of a counter or place may be left out: that is me.",
        after("earn()", "dig"),
        after("earn(1)", "dig"),
    ),
    Code(
        "P0303",
        "value that may be none",
        "error",
        "A value that may be none is used as if it were there.",
        "An empty pile has no top card, and a match for two has no `player_3`. Test the value first, with `if`, `and` or "
        "`stop unless`.",
        after("move top(deck) to hand(me)"),
        after("let c = top(deck)\nif c: move c to hand(me)"),
    ),
    Code(
        "P0304",
        "change inside a computation",
        "error",
        "An expression calls a rule.",
        "Expressions are worked out at any time and any number of times, so they change nothing. Rules are called by "
        "effects.",
        after("gain dig() coin"),
        after("dig()\ngain 1 coin"),
    ),
    Code(
        "P0305",
        "type that must be written",
        "error",
        "A function calls itself, and its type is not written; or a rule returns only what it returns itself.",
        "The type of a function is found from its body, which here needs the type first. What a rule returns is found from "
        "those of its values that do not come from itself.",
        rules("functions:\n  sum_to(int n): 0 if n < 1 else n + sum_to(n - 1)\n"),
        rules("functions:\n  sum_to(int n): {is: 0 if n < 1 else n + sum_to(n - 1), type: int}\n"),
    ),
    Code(
        "P0306",
        "cannot be set",
        "error",
        "An assignment has a target that never changes.",
        "Counters, fields and variables change. A fact is the same for ever, and a piece is moved, not set.",
        after("set card.number to 3", "buy"),
        after("set card.charge to 3", "buy"),
    ),
    Code(
        "P0307",
        "place or piece of the wrong sort",
        "error",
        "A place or a piece does not go with the effect: another sort of place is needed, or the piece is of another kind.",
        "A pile can be shuffled and a row refilled, not the other way round; a place holds pieces of its own kind.",
        after("shuffle shop"),
        after("shuffle deck"),
    ),
    Code(
        "P0308",
        "break outside a loop",
        "error",
        "There is no loop around a `break`.",
        "`break` leaves a loop; a rule is left with `stop`.",
        after("gain 1 coin\nbreak"),
        after("repeat 3 times:\n  gain 1 coin\n  if coin > 3: break"),
    ),
    Code(
        "P0309",
        "leaving while others answer",
        "error",
        "`stop`, `return` or `break` leaves a `simultaneously` block.",
        "The players who come later would not be asked, and nothing after the block would happen. A `break` out of a loop "
        "inside the block is fine.",
        after("simultaneously for p in players:\n  stop if coin > 3\n  set bid to 1"),
        after("simultaneously for p in players:\n  if coin <= 3: set bid to 1"),
    ),
)
