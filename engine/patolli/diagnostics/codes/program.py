"""P0900: faults that are not the content's."""

from patolli.diagnostics.codes.code import Code, table

CODES = table(
    Code(
        "P0900",
        "the checker stumbled",
        "error",
        "A check ended in a fault of the program itself, so the content was not checked to the end.",
        "What was not checked cannot be trusted. It is no fault of the content; please report it.",
    ),
)
