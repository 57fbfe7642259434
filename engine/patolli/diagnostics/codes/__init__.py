"""The register of all codes; a room adds its own table here.

=====  =============================================
P00xx  reading YAML (``reading``), shapes from P0050 (``shapes``)
P010x  effects, expressions, signatures, types (``parsing``)
P011x  packs; patches from P0120, options from P0130 (``choosing``)
P02xx  names (``names``)
P03xx  types (``types``)
P04xx  dead ends, counts (``proofs``); from P0430 habits (``habits``)
P05xx  panels (``panels``)
P06xx  scenarios (``scenarios``)
P07xx  comments that allow a finding (``allowing``)
P09xx  faults of the program itself (``program``)
=====  =============================================
"""

from patolli.diagnostics.codes import (
    allowing,
    ambiguous,
    choosing,
    habits,
    names,
    panels,
    parsing,
    program,
    proofs,
    reading,
    scenarios,
    shapes,
    types,
)
from patolli.diagnostics.codes.code import Code, join, table

__all__ = ["CODES", "Code", "explain", "table"]

TABLES = (
    reading.CODES, ambiguous.CODES, shapes.CODES, parsing.CODES, choosing.CODES, names.CODES, types.CODES, proofs.CODES,
    habits.CODES, panels.CODES, scenarios.CODES, allowing.CODES, program.CODES,
)  # fmt: skip
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
            parts.append(heading + "\n\n" + "".join(f"    {line}\n" for line in example.splitlines()).rstrip())
    return "\n\n".join(parts) + "\n"
