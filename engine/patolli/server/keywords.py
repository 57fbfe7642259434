"""What the words of the language mean, for hovers: how each is written, and what that does.

A statement of one form says that beside its node (``language.tree``); here are the words of all others.
"""

from __future__ import annotations

import re

from patolli.language.forms import FORMS

_STATEMENTS = {
    "gain": ("gain 2 coin and 1 seed [for p]", "Adds to counters, up to their `max`."),
    "lose": ("lose 3 coin [for p]", "Takes from counters, never below their `min`; all amounts count what was there."),
    "if": ("if c: .. elif c: .. else: ..", "Does the first part whose condition holds. A value: `a if c else b`."),
    "elif": ("if c: .. elif c: ..", "Is done when its condition holds and none above it does."),
    "else": ("if c: .. else: ..", "Is done when no condition above it holds."),
    "for": ("for x in S [where P] [in any order]: ..", "Does its block for each of S, in order."),
    "return": ("return E", "Leaves the rule with a value."),
    "stop": ("stop [if c]", "Leaves the rule."),
    "otherwise": ("otherwise: ..", "Below a question: is done when there is nothing to choose."),
    "may": ('may "label": ..', "Asks yes or no; not asked where its block is impossible."),
}  # fmt: skip
_LISTS = {
    "any": ("any(x in S where P)", "Whether there is one of S for which P holds. In a cost: any mix of a group."),
    "all": ("all(x in S where P)", "Whether P holds for each of S."),
    "count": ("count(x in S where P)", "How many of S there are for which P holds."),
    "sum": ("sum(E for x in S where P)", "The sum of E over S."),
    "min": ("min(E for x in S), min(a, b)", "The smallest value."),
    "max": ("max(E for x in S), max(a, b)", "The largest value."),
    "until": ("until(x in S where P)", "The items of S before the first for which P holds."),
    "through": ("through(x in S where P)", "The items of S up to the first for which P holds, and that one."),
    "first": ("first(x in S where P)", "The first of S for which P holds, or none."),
    "lowest": ("lowest(x in S by E)", "Those of S for which E is smallest."),
    "highest": ("highest(x in S by E)", "Those of S for which E is largest."),
    "sorted": ("sorted(x in S by E)", "S in the order of E."),
    "distinct": ("distinct(E for x in S)", "The different values of E."),
    "list": ("list of T", "A type: several of T, in order."),
}
_JOINING = {
    "and": ("a and b", "Whether both hold. Between amounts: both of them."),
    "or": ("a or b", "Whether one of them holds. `or none` behind a question: the player may decline."),
    "not": ("not a", "Whether a does not hold."),
    "in": ("x in S", "Whether x is one of S; behind `for` and `choose`: each of S in turn."),
    "where": ("x in S where P", "Only those for which P holds."),
    "by": ("highest(x in S by E)", "What is compared."),
    "div": ("a div b", "The quotient, rounded down."),
    "mod": ("a mod b", "What a division by b leaves, from 0 to b - 1."),
    "bottom": ("move x to deck bottom", "To the bottom of the pile."),
    "to": ("to", "Says where something goes, or which value it gets."),
    "from": ("from", "Says where something comes from."),
    "with": ("swap x with y", "Names the other piece."),
    "times": ("repeat n times: ..", "Says how often."),
    "of": ('choose 2 of x in S as xs "question"', "Several are chosen at once, and `xs` is their list."),
    "number": ("choose any number of x in S as xs", "As many as the player likes. `number(x)`: its place in its kind."),
    "one": ('choose one "question":', "Opens a menu: one of the lines below it."),
    "order": ('for x in S in any order "question": ..', "The player chooses the order."),
    "when": ('"label" when c: ..', "The line of a menu is offered only when c holds."),
    "unless": ("stop unless c", "Only if c does not hold."),
    "match": ("end match", "Ends the match."),
}
_FIXED = {
    "me": ("me", "The acting player."),
    "it": ("it", "The piece that this effect or condition stands on."),
    "copy": ("copy", "The number of the copy of a piece, from 1."),
    "seats": ("seats", "How many play."),
    "players": ("players", "All players, in the order of seats."),
    "box": ("move x to box", "Nowhere: pieces in the box take no part."),
    "none": ("none", "No value: nobody, nothing, no piece."),
    "true": ("true", "What holds."),
    "false": ("false", "What does not hold."),
    "original": ("original(..)", "In an `instead`: what it stands in place of."),
}
_FORMED = {form.words[0]: (form.shown, form.means) for form in reversed(FORMS.values())}
WORDS: dict[str, tuple[str, str]] = {**_LISTS, **_FORMED, **_STATEMENTS, **_JOINING, **_FIXED}
"""For each word of the language how it is written, and what that does; of a word with two uses, the commoner one."""
_WORD = re.compile(r"[a-z_]+")


def word_at(line: str, column: int, before: str) -> tuple[str, int] | None:
    """Return the word of the language at a column from 1 of a line, and the column where it begins.

    Words in quotes and behind a dot are none; *before* is the text up to the cursor.
    """
    for found in _WORD.finditer(line):
        if found.start() < column <= found.end() + 1 and found[0] in WORDS:
            quoted = before.rpartition("\n")[2].count('"') % 2 == 1
            dotted = line[: found.start()].endswith(".")
            joined = re.match(r"\w", line[found.end() : found.end() + 1]) or re.search(r"\w$", line[: found.start()])
            return None if quoted or dotted or joined else (found[0], found.start() + 1)
    return None


def page(word: str) -> str:
    """Write what a hover shows over a word, in Markdown."""
    form, text = WORDS[word]
    return f"```\n{form}\n```\n\n{text}"
