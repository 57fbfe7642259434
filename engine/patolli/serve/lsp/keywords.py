"""Hover texts for the words of the language: the form of each, and its meaning.

Statements with a single form are described beside their nodes (``language.tree``). This module has all other words.
"""

from __future__ import annotations

import re

from patolli.language.syntax.forms import FORMS

_STATEMENTS = {
    "gain": ("gain 2 coin and 1 seed [for p]", "Adds to counters, up to their `max`."),
    "lose": ("lose 3 coin [for p]", "Takes from counters, down to their `min`; amounts use the values before."),
    "if": ("if c: .. elif c: .. else: ..", "Runs the first block with a true condition. A value: `a if c else b`."),
    "elif": ("if c: .. elif c: ..", "Runs if its condition is true and all conditions above are false."),
    "else": ("if c: .. else: ..", "Runs if all conditions above are false."),
    "for": ("for x in S [where P] [in any order]: ..", "Runs its block for each item of S, in order."),
    "return": ("return E", "Ends the rule and returns a value."),
    "stop": ("stop [if c]", "Ends the rule."),
    "otherwise": ("otherwise: ..", "After a question: runs if there is nothing to choose."),
    "may": ('may "label": ..', "Asks yes or no. Does not ask if its block is impossible."),
}  # fmt: skip
_LISTS = {
    "any": ("any(x in S where P)", "Whether P is true for at least one item of S. In a cost: any mix of a group."),
    "all": ("all(x in S where P)", "Whether P is true for all items of S."),
    "count": ("count(x in S where P)", "The number of items of S for which P is true."),
    "sum": ("sum(E for x in S where P)", "The sum of E over all items of S."),
    "min": ("min(E for x in S), min(a, b)", "The smallest value."),
    "max": ("max(E for x in S), max(a, b)", "The largest value."),
    "until": ("until(x in S where P)", "The items of S before the first one for which P is true."),
    "through": ("through(x in S where P)", "The items of S up to and including the first one for which P is true."),
    "first": ("first(x in S where P)", "The first item of S for which P is true, or none."),
    "only": ("only(x in S where P)", "The single item of S for which P is true. Fails if there are none or several."),
    "lowest": ("lowest(x in S by E)", "The items of S with the smallest E."),
    "highest": ("highest(x in S by E)", "The items of S with the largest E."),
    "sorted": ("sorted(x in S by E)", "S sorted by E."),
    "distinct": ("distinct(E for x in S)", "The different values of E."),
    "list": ("list of T", "A type: an ordered list of T."),
}
_JOINING = {
    "and": ("a and b", "Whether both are true. Between amounts: both of them."),
    "or": ("a or b", "Whether at least one is true. `or none` after a question: the player may decline."),
    "not": ("not a", "Whether a is false."),
    "in": ("x in S", "Whether S contains x. After `for` and `choose`: each item of S."),
    "where": ("x in S where P", "Only items for which P is true."),
    "by": ("highest(x in S by E)", "The value to compare."),
    "div": ("a div b", "The quotient, rounded down."),
    "mod": ("a mod b", "The remainder of a division by b, from 0 to b - 1."),
    "bottom": ("move x to deck bottom", "To the bottom of the pile."),
    "to": ("to", "The target of a move, or a new value."),
    "from": ("from", "The origin of a move."),
    "with": ("swap x with y", "The other piece."),
    "times": ("repeat n times: ..", "The number of repetitions."),
    "of": (
        'choose 2 of x in S as xs "question"',
        "The player chooses several items at once; `xs` is the list of them.",
    ),
    "number": (
        "choose any number of x in S as xs",
        "The player chooses any number of items. `number(x)`: the position of x in its kind.",
    ),
    "one": ('choose one "question":', "A menu: the player chooses one of the lines below."),
    "order": ('for x in S in any order "question": ..', "The player chooses the order."),
    "when": ('"label" when c: ..', "Offers this menu line only if c is true."),
    "unless": ("stop unless c", "Only if c is false."),
    "match": ("end match", "Ends the match."),
}
_FIXED = {
    "me": ("me", "The acting player."),
    "it": ("it", "The piece that has this effect or condition."),
    "copy": ("copy", "The copy number of a piece, from 1."),
    "seats": ("seats", "The number of players."),
    "players": ("players", "All players, in seat order."),
    "box": ("move x to box", "Out of play: pieces in the box take no part in the match."),
    "none": ("none", "No value: no player, no piece."),
    "true": ("true", "True."),
    "false": ("false", "False."),
    "original": ("original(..)", "In an `instead`: the replaced event."),
}
_FORMED = {form.words[0]: (form.shown, form.means) for form in reversed(FORMS.values())}
WORDS: dict[str, tuple[str, str]] = {**_LISTS, **_FORMED, **_STATEMENTS, **_JOINING, **_FIXED}
"""Form and meaning of each word of the language. A word with two uses has the more common one."""
_WORD = re.compile(r"[a-z_]+")


def word_at(line: str, column: int, before: str) -> tuple[str, int] | None:
    """Return the word of the language at a column (from 1) of a line, and its first column.

    Words in quotes or after a dot do not count. *before* is the text up to the cursor.
    """
    for found in _WORD.finditer(line):
        if found.start() < column <= found.end() + 1 and found[0] in WORDS:
            quoted = before.rpartition("\n")[2].count('"') % 2 == 1
            dotted = line[: found.start()].endswith(".")
            joined = re.match(r"\w", line[found.end() : found.end() + 1]) or re.search(r"\w$", line[: found.start()])
            return None if quoted or dotted or joined else (found[0], found.start() + 1)
    return None


def page(word: str) -> str:
    """Return the hover text of a word, in Markdown."""
    form, text = WORDS[word]
    return f"```\n{form}\n```\n\n{text}"
