"""P07xx: comments that allow a finding."""

from patolli.diagnostics.codes.code import Code, table
from patolli.diagnostics.codes.examples import rules

_UNUSED = "rules:\n  polish: gain 1 point{}\n"

CODES = table(
    Code(
        "P0701",
        "incomplete comment that allows something",
        "warning",
        "A comment `# patolli: allow CODE reason` lacks its code or its reason, or there is no such code.",
        "Whoever reads the comment later wants to know what it allows and why.",
        rules(_UNUSED.format("  # patolli: allow P0430")),
        rules(_UNUSED.format("  # patolli: allow P0430 for modules, which call it")),
    ),
    Code(
        "P0702",
        "comment that allows what is not there",
        "warning",
        "A comment allows a code, and nothing with this code is found on its line, or in the node that begins on the "
        "line below it. It is told only where a pack is checked by itself, without an error.",
        "It is left over from something that was mended, or stands at the wrong place. Left alone it would silence the "
        "next mistake.",
        rules(
            "triggers:\n  shine: {after: dig, do: polish()}\n"
            + _UNUSED.format("  # patolli: allow P0430 for modules, which call it")
        ),
        rules("triggers:\n  shine: {after: dig, do: polish()}\n" + _UNUSED.format("")),
    ),
    Code(
        "P0703",
        "comment that allows an error",
        "warning",
        "A comment allows a code that is an error, or one that speaks of such comments.",
        "An error makes a pack unfit to be run, whatever a comment says. Only warnings can be allowed.",
        rules(
            "triggers:\n  shine: {after: dig, do: gain 1 point}  # patolli: allow P0441 it ends when the bag is empty\n"
        ),
        rules("triggers:\n  shine: {after: dig, do: gain 1 point}\n"),
    ),
)
