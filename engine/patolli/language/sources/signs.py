"""Signs that no content may hold, because they do more than stand for themselves wherever they are shown.

A control character can move the cursor of a terminal, or begin a sequence that changes its title; a bidirectional mark
turns the letters around it, so that what is read is not what is there.
"""

from __future__ import annotations

import re

from patolli.language.diagnostics.fix_edits import instead
from patolli.language.diagnostics.problem import Problem, Span

_BAD = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ud800-\udfff\ufeff\ufffe\uffff"
"""The few that are bad; a pattern of the many that are good takes 20 ms to compile whenever the program starts."""
BAD_SIGN = re.compile(rf"[\t{_BAD}]")
"""What a file may not hold as it is."""
BAD_ESCAPED = re.compile(f"[{_BAD}]")
"""What a value may not hold after its escapes were read: a tab may be written so, anything else not even so."""


def bad_sign(sign: str, span: Span) -> Problem:
    """Report such a sign."""
    marks = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u206a\u206b"
    help_ = "delete it; it turns the letters around it" if sign in marks else "delete it"
    if sign == "\r":
        help_ = "save the file with the line ends of Unix or Windows"
    fixes = instead(span, "", sure=True) if sign != "\r" else ()
    return Problem("P0012", f"a file must not contain the character U+{ord(sign):04X}", span, help_, fixes=fixes)
