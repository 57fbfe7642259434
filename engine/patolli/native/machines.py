"""What plays matches of a ruleset natively, ready to play.

In:     a ruleset and a number of seats.
Out:    a :class:`Machine`; made once in a process, and translated once on a machine.
Errors: ``Unsupported``, where no module can be made of the program; ``ImportError``, where the runtime is not there.
"""

from __future__ import annotations

import atexit
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from patolli.native import kept
from patolli.native.heap import Unsupported
from patolli.native.host import Machine, engine

if TYPE_CHECKING:
    from patolli.runtime import Ruleset

_ready: WeakKeyDictionary[Ruleset, dict[tuple[int, int], Machine | Unsupported]] = WeakKeyDictionary()
"""By ruleset, process and seats: a process that was forked makes its own."""

atexit.register(_ready.clear)  # what the runtime gave is given back while the runtime is still there


def there() -> bool:
    """Tell whether the runtime is installed."""
    return find_spec("wasmtime") is not None


def machine(rules: Ruleset, seats: int) -> Machine:
    """Return what plays matches with a number of seats, automated ones included.

    Raises:
        ImportError: The runtime is not installed.
        Unsupported: Something of the program cannot be translated.
    """
    known = _ready.setdefault(rules, {})
    place = os.getpid(), seats
    if place not in known:
        try:
            known[place] = _made(rules, seats)
        except Unsupported as error:
            known[place] = error
    found = known[place]
    if isinstance(found, Unsupported):
        raise found
    return found


def known_before(rules: Ruleset, seats: int) -> bool:
    """Tell whether a machine is there for nothing: it was made before, in this process or another one."""
    found = _ready.get(rules, {}).get((os.getpid(), seats))
    return isinstance(found, Machine) or (found is None and kept.holds(kept.key_of(rules, seats)))


def _made(rules: Ruleset, seats: int) -> Machine:
    runtime = engine()
    key = kept.key_of(rules, seats)
    return _recalled(runtime, key) or _translated(runtime, key, rules, seats)


def _recalled(runtime: Any, key: str) -> Machine | None:
    import wasmtime

    found = kept.recall(key)
    if found is None:
        return None
    told, data = found
    try:
        return Machine(runtime, wasmtime.Module.deserialize(runtime, data), told["floor"], told["streams"])
    except (wasmtime.WasmtimeError, KeyError):  # of a runtime that is set up otherwise
        kept.forget(key)
        return None


def _translated(runtime: Any, key: str, rules: Ruleset, seats: int) -> Machine:
    import wasmtime

    from patolli.native.linking import Linker
    from patolli.native.program import source_of

    linker = Linker(source_of(rules, seats))
    module = wasmtime.Module(runtime, linker.link())
    told = {"floor": linker.floor, "streams": linker.streams()}
    kept.keep(key, told, bytes(module.serialize()))
    return Machine(runtime, module, linker.floor, linker.streams())
