"""Print the WebAssembly that a rule, function or condition became, with the lines of its author.

In:     a ruleset, a number of seats, and a name.
Out:    the text of the functions, each with the lines that its instructions stem from.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

from patolli.run.native.linker import Linker
from patolli.run.native.program import source_of
from patolli.run.native.wasm_text import Body
from patolli.run.runtime import Ruleset


def listing(rules: Ruleset, seats: int, name: str, shown: Callable[[str], str]) -> str:
    """Return what was generated for everything called *name*; nothing where nothing is called so.

    Args:
        rules: The ruleset.
        seats: For how many seats, automated ones included.
        name: A rule, a function, a value, or ``the invariant x``.
        shown: What a file is called in the text.

    Raises:
        Unsupported: Something of the program cannot be translated.
    """
    source = source_of(rules, seats)
    linker = Linker(source)
    linker.written = {}
    linker.write_module()
    names = {index: _name_function(key) for key, index in linker.indices.items() if not _is_place(key)}
    found = []
    for index, body in sorted(linker.written.items()):
        made = names[index]
        if made in source.functions and source.origins.get(made) == name:
            found.append(_function(made, body, names, source.files[made], shown(source.files[made])))
    return "\n\n".join(found)


def _is_place(key: Any) -> bool:
    """Return whether a key stands for a place in the table of functions, and not for a function."""
    return isinstance(key, tuple) and key[0] in ("at", "block")


def _name_function(key: Any) -> str:
    """Return what a function is called in the text."""
    if isinstance(key, str):
        return key
    if key[0] == "table":
        return f"value_of_{key[1] if isinstance(key[1], str) else key[1].__name__}"
    return f"lambda_{key[1]}" if key[0] == "lambda" else str(key[-1])


def _function(name: str, body: Body, names: dict[int, str], path: str, shown: str) -> str:
    """Return one function; a comment says where the instructions of another line of the author begin."""
    marks = {at: line for at, line in reversed(body.lines)}
    own = body.kinds[body.parameters :]
    found = [f"(func ${name} (param {' '.join(body.kinds[: body.parameters])}) (result i64)"]
    found += [f"  (local {' '.join(own)})"] if own else []
    depth = last = 0
    for at, instruction in enumerate(body.out):
        word, _, rest = instruction.partition(" ")
        depth -= word in ("else", "end")
        if (line := marks.get(at, last)) != last:
            found.append(f"{'  ' * (depth + 1)};; {shown}:{line}: {linecache.getline(path, line).strip()}")
            last = line
        called = f"call ${names.get(int(rest), rest)}" if word == "call" else instruction
        found.append(f"{'  ' * (depth + 1)}{called}")
        depth += word in ("else", "block", "loop", "if", "try_table")
    return "\n".join([*found, ")"])
