"""P0900: faults that are not the author's."""

from patolli.diagnostics.codes.code import Code, table

CODES = table(
    Code(
        "P0900",
        "fault of the program",
        "error",
        "The checker itself stumbled over a pack.",
        "Whatever a pack holds, the checker should answer with problems. Please report this fault.",
    ),
)
