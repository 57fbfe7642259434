"""Write WebAssembly: instructions as bytes, and the sections of a module.

Source:
    "WebAssembly Specification", release 3.0, chapter 5, "Binary Format".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

I32, I64 = b"\x7f", b"\x7e"
EMPTY = b"\x40"
"""The type of a block that leaves nothing behind."""

_PLAIN = {
    "unreachable": 0x00, "nop": 0x01, "else": 0x05, "end": 0x0B, "return": 0x0F, "drop": 0x1A, "select": 0x1B,
    "i32.eqz": 0x45, "i32.eq": 0x46, "i32.ne": 0x47, "i32.lt_s": 0x48, "i32.lt_u": 0x49, "i32.gt_s": 0x4A,
    "i32.gt_u": 0x4B, "i32.le_s": 0x4C, "i32.le_u": 0x4D, "i32.ge_s": 0x4E, "i32.ge_u": 0x4F,
    "i64.eqz": 0x50, "i64.eq": 0x51, "i64.ne": 0x52, "i64.lt_s": 0x53, "i64.lt_u": 0x54, "i64.gt_s": 0x55,
    "i64.gt_u": 0x56, "i64.le_s": 0x57, "i64.le_u": 0x58, "i64.ge_s": 0x59, "i64.ge_u": 0x5A,
    "i32.add": 0x6A, "i32.sub": 0x6B, "i32.mul": 0x6C, "i32.and": 0x71, "i32.or": 0x72, "i32.shl": 0x74,
    "i64.clz": 0x79, "i64.ctz": 0x7A, "i64.add": 0x7C, "i64.sub": 0x7D, "i64.mul": 0x7E, "i64.div_s": 0x7F,
    "i64.div_u": 0x80,
    "i64.rem_s": 0x81, "i64.rem_u": 0x82, "i64.and": 0x83, "i64.or": 0x84, "i64.xor": 0x85, "i64.shl": 0x86,
    "i64.shr_s": 0x87, "i64.shr_u": 0x88, "f64.sqrt": 0x9F, "f64.add": 0xA0, "f64.sub": 0xA1, "f64.mul": 0xA2,
    "f64.div": 0xA3, "i32.wrap_i64": 0xA7, "i64.extend_i32_s": 0xAC,
    "i64.extend_i32_u": 0xAD, "i64.trunc_f64_s": 0xB0, "f32.convert_i64_s": 0xB4, "f64.convert_i64_s": 0xB9,
    "i64.reinterpret_f64": 0xBD, "f64.reinterpret_i64": 0xBF,
}  # fmt: skip
PLAIN = {name: bytes((code,)) for name, code in _PLAIN.items()}
"""Instructions without anything behind them."""
WITH_NUMBER = {
    "br": b"\x0c", "br_if": b"\x0d", "call": b"\x10", "local.get": b"\x20", "local.set": b"\x21", "local.tee": b"\x22",
    "global.get": b"\x23", "global.set": b"\x24", "throw": b"\x08",
}  # fmt: skip
"""Instructions with one number behind them."""
MEMORY = {
    "i32.load": (b"\x28", 2), "i64.load": (b"\x29", 3), "i32.load8_u": (b"\x2d", 0), "i32.store": (b"\x36", 2),
    "i64.store": (b"\x37", 3), "i32.store8": (b"\x3a", 0), "i64.load32_u": (b"\x35", 2), "i64.store32": (b"\x3e", 2),
    "f32.store": (b"\x38", 2),
}  # fmt: skip
"""What reads and writes memory, with the exponent of two of how it is aligned at most."""


def encode_unsigned(number: int) -> bytes:
    """Return a number in LEB128."""
    if number < 128:
        return bytes((number,))
    found = bytearray()
    while number >= 128:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


def encode_signed(number: int) -> bytes:
    """Return a number that may be below 0 in LEB128."""
    found = bytearray()
    while True:
        low = number & 127
        number >>= 7
        if (number == 0 and not low & 64) or (number == -1 and low & 64):
            found.append(low)
            return bytes(found)
        found.append(low | 128)


def vector(items: Sequence[bytes]) -> bytes:
    """Return several things behind their number."""
    return encode_unsigned(len(items)) + b"".join(items)


def text(name: str) -> bytes:
    """Return a name."""
    encoded = name.encode()
    return encode_unsigned(len(encoded)) + encoded


class Body:
    """The instructions of one function, as they are written.

    Attributes:
        out: The bytes so far.
        kinds: The types of the locals, parameters first.
        depth: How many blocks are open.
        lines: Where which line of an author begins.
    """

    def __init__(self, parameters: int) -> None:
        self.out = bytearray()
        self.kinds: list[bytes] = [I64] * parameters
        self.parameters = parameters
        self.depth = 0
        self.lines: list[tuple[int, int]] = []
        self.free: dict[bytes, list[int]] = {I32: [], I64: []}

    def op(self, *names: str) -> None:
        """Write instructions that stand alone."""
        for name in names:
            self.out += PLAIN[name]

    def to(self, name: str, number: int) -> None:
        """Write an instruction with a number behind it."""
        self.out += WITH_NUMBER[name] + encode_unsigned(number)

    def get(self, local: int) -> None:
        """Read a local."""
        self.out += b"\x20" + encode_unsigned(local)

    def set(self, local: int) -> None:
        """Write a local."""
        self.out += b"\x21" + encode_unsigned(local)

    def tee(self, local: int) -> None:
        """Write a local and leave its value."""
        self.out += b"\x22" + encode_unsigned(local)

    def i64(self, number: int) -> None:
        """Write a number of 64 bits."""
        self.out += b"\x42" + encode_signed(number)

    def i32(self, number: int) -> None:
        """Write a number of 32 bits."""
        self.out += b"\x41" + encode_signed(number)

    def memory(self, name: str, offset: int = 0) -> None:
        """Read or write memory; nothing is said of how it is aligned, which costs nothing where it is."""
        self.out += MEMORY[name][0] + b"\x00" + encode_unsigned(offset)

    def open(self, kind: str, result: bytes = EMPTY) -> int:
        """Open a block, a loop or an if; return its label."""
        self.out += {"block": b"\x02", "loop": b"\x03", "if": b"\x04"}[kind] + result
        self.depth += 1
        return self.depth

    def attempt(self, catches: Iterable[tuple[int, int]], result: bytes = EMPTY) -> int:
        """Open a block from which exceptions, by their tags, go to labels that are open already."""
        found = [b"\x00" + encode_unsigned(tag) + encode_unsigned(self.depth - label) for tag, label in catches]
        self.out += b"\x1f" + result + vector(found)
        self.depth += 1
        return self.depth

    def close(self) -> None:
        """Close the innermost block."""
        self.out += b"\x0b"
        self.depth -= 1

    def br(self, label: int) -> None:
        """Leave a block, or go on with a loop from its beginning."""
        self.to("br", self.depth - label)

    def br_if(self, label: int) -> None:
        """Do so where the topmost number is not 0."""
        self.to("br_if", self.depth - label)

    def local(self, kind: bytes = I64) -> int:
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

    def to_bytes(self) -> bytes:
        """Return the function with its locals."""
        runs: list[list[bytes | int]] = []
        for kind in self.kinds[self.parameters :]:
            if runs and runs[-1][1] == kind:
                runs[-1][0] += 1  # type: ignore[operator]
            else:
                runs.append([1, kind])
        declared = vector([encode_unsigned(number) + kind for number, kind in runs])  # type: ignore[arg-type,operator]
        whole = declared + bytes(self.out) + b"\x0b"
        return encode_unsigned(len(whole)) + whole


class Module:
    """A module without imports: functions, one memory, one table, globals, and data."""

    def __init__(self) -> None:
        self.types: dict[bytes, int] = {}
        self.functions: list[int] = []
        self.bodies: list[bytes] = []
        self.exports: list[tuple[str, int, int]] = []
        self.globals: list[bytes] = []
        self.elements: list[int] = []
        self.data: list[tuple[int, bytes]] = []
        self.tags = 0
        self.pages = 1
        self.names: list[str] = []

    def type(self, parameters: Sequence[bytes], results: Sequence[bytes]) -> int:
        """Return the number of a type of functions."""
        key = b"\x60" + vector(parameters) + vector(results)
        return self.types.setdefault(key, len(self.types))

    def number(self, kind: bytes, start: int) -> int:
        """Add a global that may change; return which one it is."""
        head = b"\x41" if kind == I32 else b"\x42"
        self.globals.append(kind + b"\x01" + head + encode_signed(start) + b"\x0b")
        return len(self.globals) - 1

    def to_bytes(self) -> bytes:
        """Return the module."""
        empty = self.type((), ())
        sections = [
            (1, vector(list(self.types))),
            (3, vector([encode_unsigned(one) for one in self.functions])),
            (4, vector([b"\x70\x00" + encode_unsigned(len(self.elements))])),
            (5, vector([b"\x00" + encode_unsigned(self.pages)])),
            (13, vector([b"\x00" + encode_unsigned(empty)] * self.tags)),
            (6, vector(self.globals)),
            (7, vector([text(name) + bytes((kind,)) + encode_unsigned(one) for name, kind, one in self.exports])),
            (9, vector([b"\x00\x41\x00\x0b" + vector([encode_unsigned(one) for one in self.elements])])),
            (10, vector(self.bodies)),
            (
                11,
                vector(
                    [
                        b"\x00\x41" + encode_signed(at) + b"\x0b" + encode_unsigned(len(what)) + what
                        for at, what in self.data
                    ]
                ),
            ),
        ]
        parts = [bytes((number,)) + encode_unsigned(len(content)) + content for number, content in sections]
        return b"\0asm\x01\0\0\0" + b"".join(parts)
