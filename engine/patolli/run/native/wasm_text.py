"""Write WebAssembly as text: the instructions of functions, and the sections of a module.

Source:
    "WebAssembly Specification", release 3.0, chapter 6, "Text Format". The assembler of wasmtime makes bytes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

I32, I64 = "i32", "i64"
EMPTY = ""
"""The type of a block that leaves nothing behind."""
FUNCTION, MEMORY = "func", "memory"
"""What may be exported."""
BYTE = "\\"
"""Stands before the two digits of a byte in a text."""


def assemble(text: str) -> bytes:
    """Return the bytes of a module. Raises ImportError: the extra ``native`` is not installed."""
    from wasmtime import wat2wasm

    return bytes(wat2wasm(text))


class Body:
    """The instructions of one function, as they are written.

    Attributes:
        out: The instructions so far.
        kinds: The types of the locals, parameters first.
        depth: How many blocks are open.
        lines: With which instruction which line of an author begins.
    """

    def __init__(self, parameters: int) -> None:
        self.out: list[str] = []
        self.kinds: list[str] = [I64] * parameters
        self.parameters = parameters
        self.depth = 0
        self.lines: list[tuple[int, int]] = []
        self.free: dict[str, list[int]] = {I32: [], I64: []}

    def op(self, *instructions: str) -> None:
        """Write instructions, other than those that open, close or leave blocks."""
        self.out += instructions

    def open(self, kind: str, result: str = EMPTY) -> int:
        """Open a block, a loop or an if; return its label."""
        self.out.append(f"{kind} (result {result})" if result else kind)
        self.depth += 1
        return self.depth

    def attempt(self, catches: Iterable[tuple[int, int]], result: str = EMPTY) -> int:
        """Open a block from which exceptions, by their tags, go to labels that are open already."""
        head = f"try_table (result {result})" if result else "try_table"
        return self.open(" ".join([head, *(f"(catch {tag} {self.depth - label})" for tag, label in catches)]))

    def close(self) -> None:
        """Close the innermost block."""
        self.out.append("end")
        self.depth -= 1

    def br(self, label: int) -> None:
        """Leave a block, or go on with a loop from its beginning."""
        self.out.append(f"br {self.depth - label}")

    def br_if(self, label: int) -> None:
        """Do so where the topmost number is not 0."""
        self.out.append(f"br_if {self.depth - label}")

    def local(self, kind: str = I64) -> int:
        """Return a local that is not in use."""
        if self.free[kind]:
            return self.free[kind].pop()
        self.kinds.append(kind)
        return len(self.kinds) - 1

    def allocate_local(self) -> int:
        """Return a local that nothing else uses, now or in the next pass of a loop."""
        self.kinds.append(I64)
        return len(self.kinds) - 1

    def release(self, *locals_: int) -> None:
        """Give locals back."""
        for one in locals_:
            self.free[self.kinds[one]].append(one)

    def to_text(self) -> str:
        """Return the instructions behind the locals."""
        return "\n".join([*(f"(local {kind})" for kind in self.kinds[self.parameters :]), *self.out])


class Module:
    """A module without imports: functions, one memory, one table, globals, and data."""

    def __init__(self) -> None:
        self.types: dict[str, int] = {}
        self.functions: list[int] = []
        self.bodies: list[str] = []
        self.exports: list[tuple[str, str, int]] = []
        self.globals: list[str] = []
        self.elements: list[int] = []
        self.data: list[tuple[int, bytes]] = []
        self.tags = 0
        self.pages = 1

    def type(self, parameters: Sequence[str], results: Sequence[str]) -> int:
        """Return the number of a type of functions."""
        key = f"(func (param {' '.join(parameters)}) (result {' '.join(results)}))"
        return self.types.setdefault(key, len(self.types))

    def number(self, kind: str, start: int) -> int:
        """Add a global that may change; return which one it is."""
        self.globals.append(f"(global (mut {kind}) ({kind}.const {start}))")
        return len(self.globals) - 1

    def to_text(self) -> str:
        """Return the module."""
        functions = zip(self.functions, self.bodies, strict=True)
        parts = [
            "(module",
            *(f"(type {one})" for one in self.types),
            *(f"(func (type {type_})\n{body})" for type_, body in functions),
            f"(table {len(self.elements)} funcref)",
            f"(memory {self.pages})",
            *["(tag)"] * self.tags,
            *self.globals,
            *(f'(export "{name}" ({kind} {one}))' for name, kind, one in self.exports),
            f"(elem (i32.const 0) func {' '.join(map(str, self.elements))})",
            *(f'(data (i32.const {at}) "\\{what.hex(BYTE)}")' for at, what in self.data if what),
        ]
        return "\n".join(parts) + ")"
