"""P0900: faults that are not the author's."""

from patolli.diagnostics.codes.code import Code, table

CODES = table(
    Code(
        "P0900",
        "fault of the program",
        "error",
        "This program itself stumbled over a pack, or over a scenario.",
        "Whatever a pack holds, it should answer with problems. Please report what it prints with it: the version, the "
        "call, and the traceback. The commands end with 4 then.",
    ),
)
