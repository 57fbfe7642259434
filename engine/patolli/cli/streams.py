"""The standard streams: they always exist, and signs that their encoding lacks are replaced by plain signs.

A board is drawn with signs that some encodings lack. The plain sign for a missing one has the same width, so that
columns stay aligned. Within a pack, different signs have different plain signs.
"""

# ruff: noqa: RUF001 - signs that look like plain ones are what this module is about

from __future__ import annotations

import codecs
import os
import stat
import sys
import unicodedata
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any

PLAIN = "patolli.plain"
"""The name under which Python knows how to write what an encoding lacks."""
_ASCII = "patolli_ascii"
SIGNS = {
    "·": ".", "•": "*", "…": ".", "°": "'", "×": "x", "○": "O", "●": "@", "△": "^", "▲": "A", "▽": "v", "▼": "V",
    "◇": "%", "◆": "&", "□": "=", "■": "#", "☆": "+", "★": "*", "↑": "!", "↓": ";", "←": "<", "→": ">", "░": ".",
    "▒": ":", "▓": "%", "█": "#",
    **dict(zip("❶❷❸❹❺❻❼❽❾❿", "ABCDEFGHIJ", strict=True)),  # which no number can be confused with
    **dict(zip("①②③④⑤⑥⑦⑧⑨⑩", "abcdefghij", strict=True)),
    **dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPkqrbnp", strict=True)),
    **dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("‘’", "'"), **dict.fromkeys("“”", '"'),
}  # fmt: skip
"""Plain signs for those that packs and panels use; lines of boxes are recognized by their Unicode names."""


def prepare() -> None:
    """Prepare the standard streams for all possible input and output.

    A stream that was closed when the program started discards its output, and so does a pipe after its reader has
    closed it. That is not an error, and the exit code still says how the command ended. Typed bytes that are not valid
    text are replaced.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - as long as the program runs
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            stream = _tolerate_closed_pipe(stream)
            setattr(sys, name, stream)
            # click takes a stream of the encoding "ascii" for a mistake, and writes UTF-8 to it.
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=_ASCII if ascii_only else None, errors=PLAIN)
    if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="replace")


class _Pipe(FileIO):
    """A pipe that accepts all output; after its reader has closed it, the output is discarded."""

    unread = False

    def write(self, data: Any, /) -> int:
        """Write to the pipe, or from now on nowhere."""
        try:
            return super().write(data)
        except BrokenPipeError:
            self.unread = True
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return len(data)


def is_unread() -> bool:
    """Return whether the reader of the standard output has gone, so that there is no use in printing more."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(raw, _Pipe) and raw.unread


def _tolerate_closed_pipe(stream: TextIOWrapper) -> TextIOWrapper:
    """Return a stream to the same pipe that does not mind when the reader goes; others stay as they are."""
    raw = getattr(stream.buffer, "raw", None)
    if type(raw) is not FileIO or not stat.S_ISFIFO(os.fstat(raw.fileno()).st_mode):
        return stream
    stream.flush()
    return TextIOWrapper(
        BufferedWriter(_Pipe(raw.fileno(), "wb", closefd=False)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def plain(sign: str) -> str:
    """Return plain signs that stand for one, as wide as it is."""
    if sign in SIGNS:
        return SIGNS[sign]
    if "\u2500" <= sign <= "\u257f":  # lines of boxes
        name = unicodedata.name(sign)
        return "+" if " AND " in name else "|" if "VERTICAL" in name else "-"
    letters = "".join(part for part in unicodedata.normalize("NFKD", sign) if part.isascii() and part.isprintable())
    from patolli.language.diagnostics.text import width

    wide = width(sign)
    return letters if letters and len(letters) == wide else "?" * wide


def _replace_signs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(plain, error.object[error.start : error.end])), error.end


def _find_codec(name: str) -> codecs.CodecInfo | None:
    if name != _ASCII:
        return None
    found = codecs.lookup("ascii")
    return codecs.CodecInfo(
        found.encode,
        found.decode,
        incrementalencoder=found.incrementalencoder,
        incrementaldecoder=found.incrementaldecoder,
        name=_ASCII,
    )


codecs.register_error(PLAIN, _replace_signs)
codecs.register(_find_codec)
