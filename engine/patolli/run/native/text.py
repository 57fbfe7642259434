"""Read the instructions of a function back as WebAssembly text."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence

from patolli.run.native.wasm_encoder import MEMORY, PLAIN, WITH_NUMBER

_PLAIN = {code[0]: name for name, code in PLAIN.items()}
_NUMBERED = {code[0]: name for name, code in WITH_NUMBER.items()}
_MEMORY = {code[0]: name for name, (code, _) in MEMORY.items()}
_BLOCKS = {0x02: "block", 0x03: "loop", 0x04: "if"}
_TYPES = {0x7F: "i32", 0x7E: "i64"}


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def read_unsigned(self) -> int:
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def read_signed(self) -> int:
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found - (1 << shift) if byte & 64 else found


def instructions(code: bytes, called: Callable[[int], str]) -> Iterator[tuple[int, int, str]]:
    """Yield each instruction with where it begins and how deep it stands.

    Args:
        code: The bytes of a function behind its locals.
        called: Gives the name of a function by its number.
    """
    reader, depth = _Reader(code), 0
    while reader.at < len(code):
        start, byte = reader.at, reader.byte()
        if byte in _BLOCKS or byte == 0x1F:
            yield start, depth, _describe_block(reader, byte)
            depth += 1
        elif byte == 0x0B:
            depth -= 1
            yield start, max(0, depth), "end"
        elif byte == 0x05:
            yield start, depth - 1, "else"
        else:
            yield start, depth, _single(reader, byte, called)


def _describe_block(reader: _Reader, byte: int) -> str:
    kind = reader.byte()
    result = f" (result {_TYPES[kind]})" if kind in _TYPES else ""
    if byte in _BLOCKS:
        return f"{_BLOCKS[byte]}{result}"
    catches = []
    for _ in range(reader.read_unsigned()):
        reader.byte()
        catches.append(f" (catch {reader.read_unsigned()} {reader.read_unsigned()})")
    return f"try_table{result}{''.join(catches)}"


def _single(reader: _Reader, byte: int, called: Callable[[int], str]) -> str:
    if byte == 0x10:
        return f"call ${called(reader.read_unsigned())}"
    if byte in _NUMBERED:
        return f"{_NUMBERED[byte]} {reader.read_unsigned()}"
    if byte in _MEMORY:
        reader.read_unsigned()
        offset = reader.read_unsigned()
        return _MEMORY[byte] + (f" offset={offset}" if offset else "") + " align=1" * (not _MEMORY[byte].endswith("8"))
    match byte:
        case 0x11:
            return f"call_indirect (type {reader.read_unsigned()})" + " " * reader.read_unsigned()
        case 0x41 | 0x42:
            return f"{'i32' if byte == 0x41 else 'i64'}.const {reader.read_signed()}"
        case 0x44:
            reader.at += 8
            return f"f64.const {struct.unpack_from('<d', reader.data, reader.at - 8)[0].hex()}"
        case 0x40:
            reader.byte()
            return "memory.grow"
        case 0xFC:
            reader.at += 3
            return "memory.copy"
    return _PLAIN[byte]


def as_text(code: bytes, called: Callable[[int], str], marks: Sequence[tuple[int, str]]) -> str:
    """Return instructions as text, with a comment where each mark stands."""
    lines, left = [], list(marks)
    for start, depth, text in instructions(code, called):
        while left and left[0][0] <= start:
            mark = left.pop(0)[1]
            lines.append(f"{'  ' * (depth + 1)};; {mark}")
        lines.append(f"{'  ' * (depth + 1)}{text}")
    return "\n".join(lines)
