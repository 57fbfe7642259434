"""The sums of a save: from them it is seen that a part of it is not what was written.

A save holds the seed, the choices and the state to which they lead. Each part can look well by itself, and yet not
belong to the others, when a file was edited by hand or put together from two. Making all choices again would not tell:
a match may rightly be in a state of which its choices know nothing, such as one that was imagined.

Nobody is kept from writing a save with sums that fit; they are there against mistakes.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

SUMS = "sums"
DIGITS = 16
"""Hexadecimal digits of a sum; those of files in the same save are as long."""


def sealed(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a save with a sum for each part of it."""
    return {**{key: value for key, value in data.items() if key != SUMS}, SUMS: _sums(data)}


def broken(data: dict[str, Any]) -> str:
    """Say which parts of a save are not what was written; nothing when all are."""
    now, then = _sums(data), data[SUMS]
    gone = [key for key in sorted({*then} - {*now})]
    wrong = [key for key in now if now[key] != then.get(key)]
    if gone:
        return f"it has lost {_listed(gone)}"
    return f"{_listed(wrong)} {'was' if len(wrong) == 1 else 'were'} changed after it was written" if wrong else ""


def _sums(data: dict[str, Any]) -> dict[str, str]:
    written = json.loads(json.dumps(data))  # lists where there were tuples, texts for all keys
    texts = {key: json.dumps(value, sort_keys=True) for key, value in written.items() if key != SUMS}
    return {key: sha256(text.encode()).hexdigest()[:DIGITS] for key, text in texts.items()}


def _listed(keys: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(map(repr, keys[:-1])), repr(keys[-1])]))
