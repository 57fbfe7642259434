"""The native back end: programs as WebAssembly, run by wasmtime; the extra ``patolli[native]``."""

from __future__ import annotations

from patolli.run.native.heap import Unsupported

__all__ = ["Unsupported"]
