"""Classes of plain data, as ``dataclasses`` makes them, in less time.

Hundreds of such classes are made whenever the program starts, and millions of their instances when it checks or plays.
Two things took most of that. The function that tells what an instance holds was compiled for each class anew, though
hardly anybody calls it: here one serves all. And a frozen class sets each field past its own guard, which takes four
times as long as setting it: here who changes a frozen instance is told by mypy, and no longer while the program runs.
In everything else the classes are those of ``dataclasses``. What users of the library are given keeps the guard: those
classes are made by ``dataclasses`` itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import field, fields
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def dataclass(cls: type[T], /) -> type[T]: ...


@overload
def dataclass(*, frozen: bool = ..., repr: bool = ..., **options: bool) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(field_specifiers=(field,))
def dataclass(cls: type[T] | None = None, /, *, frozen: bool = False, repr: bool = True, **options: bool) -> Any:
    """Make a class of plain data; the options are those of ``dataclasses.dataclass``.

    A *frozen* class has a hash of what it holds, so nobody may change its instances.
    """

    def made(cls: type[T]) -> type[T]:
        own_hash = cls.__dict__.get("__hash__") is not None
        hashed = frozen and options.get("eq", True) and not own_hash
        found: type[T] = dataclasses.dataclass(repr=False, unsafe_hash=hashed, **options)(cls)
        if repr and "__repr__" not in found.__dict__:
            found.__repr__ = _shown  # type: ignore[method-assign]
        return found

    return made if cls is None else made(cls)


@recursive_repr()
def _shown(self: Any) -> str:
    """Tell what an instance holds, in the words of ``dataclasses``."""
    held = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({held})"
