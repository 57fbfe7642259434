"""The register of all codes; a room adds its own table here.

=====  =============================================
P00xx  reading YAML (``reading``), shapes from P0050 (``shapes``)
P05xx  panels (``panels``)
P09xx  faults of the program itself (``program``)
=====  =============================================
"""

from patolli.diagnostics.codes import ambiguous, panels, program, reading, shapes
from patolli.diagnostics.codes.code import Code, join, table

__all__ = ["CODES", "Code", "explain", "table"]

TABLES = (reading.CODES, ambiguous.CODES, shapes.CODES, panels.CODES, program.CODES)
CODES: dict[str, Code] = join(*(codes.values() for codes in TABLES))


def explain(code: str) -> str:
    """Write what the register says about *code*, with its example.

    Raises:
        KeyError: there is no such code.
    """
    entry = CODES[code]
    parts = [f"{entry.code}: {entry.title} ({entry.severity})", entry.meaning, entry.why]
    for heading, example in (("Wrong:", entry.wrong), ("Right:", entry.right)):
        if example:
            parts.append(
                heading + "\n\n" + "".join(f"    {line}\n" for line in example.splitlines()).rstrip()
            )
    return "\n\n".join(parts) + "\n"
