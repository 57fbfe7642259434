"""The functions of ``kernel.tuple_map`` again, in the small part of Python that can be translated: no dictionary.

They are the only functions of the kernel with a twin. Each enters itself in ``library.NATIVE`` and gives the same.

What was ``nothing_met`` at first is a list: how many keys there are, these by their remainders, and values likewise.
"""

from __future__ import annotations

from typing import Any

from patolli.kernel.library import flat
from patolli.kernel.tuple_map import REMEMBERED

Met = list[Any]
_FEW = 8
"""How many keys with one remainder there are on average, before there are more remainders."""
_PRIME = 1_000_003


@flat("nothing_met")
def nothing_met() -> Met:
    """See :func:`patolli.kernel.tuple_map.nothing_met`."""
    return [0, [[]], [[]]]


@flat("is_met")
def is_met(met: Met, key: Any) -> bool:
    """See :func:`patolli.kernel.tuple_map.is_met`."""
    keys = met[1]
    return key in (keys[0] if len(keys) == 1 else keys[_hash_key(key) % len(keys)])


@flat("value_of")
def value_of(met: Met, key: Any) -> Any:
    """See :func:`patolli.kernel.tuple_map.value_of`."""
    keys, values = met[1], met[2]
    at = 0 if len(keys) == 1 else _hash_key(key) % len(keys)
    return values[at][keys[at].index(key)]


@flat("meet")
def meet(met: Met, key: Any, value: Any) -> None:
    """See :func:`patolli.kernel.tuple_map.meet`."""
    met[0] += 1
    if met[0] > _FEW * len(met[1]):
        _widen(met)
    _enter(met, key, value)


@flat("new_in")
def new_in(met: Met, key: Any) -> bool:
    """See :func:`patolli.kernel.tuple_map.new_in`."""
    if is_met(met, key):
        return False
    if met[0] < REMEMBERED:
        meet(met, key, 0)
    return True


def _enter(met: Met, key: Any, value: Any) -> None:
    keys, values = met[1], met[2]
    at = _hash_key(key) % len(keys)
    keys[at].append(key)
    values[at].append(value)


def _widen(met: Met) -> None:
    """Part the keys by more remainders."""
    keys, values = met[1], met[2]
    number = 4 * len(keys) + 1
    met[1] = [[] for _ in range(number)]
    met[2] = [[] for _ in range(number)]
    for some, theirs in zip(keys, values, strict=True):
        for key, value in zip(some, theirs, strict=True):
            _enter(met, key, value)


def _hash_key(key: Any) -> int:
    """Return a number from 0 that follows from a key; what differs should have different ones."""
    if not isinstance(key, tuple):
        return int(key) % _PRIME
    mixed = len(key)
    for part in key:
        mixed = (mixed * 31 + _hash_key(part) + 7) % _PRIME
    return mixed
