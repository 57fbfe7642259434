"""What plays matches of a ruleset natively, ready to play.

In:     a ruleset and a number of seats.
Out:    a :class:`Machine`; made once in a process, and translated once on a machine.
Errors: ``Unsupported``, where no module can be made of the program; ``ImportError``, where the runtime is not there.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from patolli.language.diagnostics.memory import without_garbage_collection
from patolli.run.native import kept
from patolli.run.native.heap import Unsupported
from patolli.run.native.host import Machine, engine, no_room
from patolli.run.runtime import Ruleset


@dataclass(frozen=True, slots=True)
class Prepared:
    """A module that any number of machines can be made of.

    Attributes:
        floor: Where what comes next in memory may lie.
        streams: The streams of chance, in their order, with the numbers of their texts.
        texts: All texts, by their numbers.
    """

    engine: Any
    module: Any
    floor: int
    streams: Mapping[str, int]
    texts: Sequence[str]


Made = Prepared | Machine | Unsupported
PLAYING, CHECKING, SEARCHING = "plays", "checks", "searches"
"""What a module does: it plays matches, plays and checks them against the declared invariants, or searches them."""
BATCHES = "batches"
"""What a module is prepared for that plays matches: each batch has a memory of its own."""
_ready: WeakKeyDictionary[Ruleset, dict[tuple[int, int, str], Made]] = WeakKeyDictionary()
"""By ruleset: process, seats, and what the module does; a process that was forked makes its own."""
_making = Lock()


def _reset_after_fork() -> None:
    """Let a process that was forked not wait for what goes on in another one."""
    global _making
    _making = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)
atexit.register(_ready.clear)  # what the runtime gave is given back while the runtime is still there


def there() -> bool:
    """Return whether the runtime is installed."""
    return find_spec("wasmtime") is not None


def playing(rules: Ruleset, checked: bool) -> str:
    """Return what a module does that plays matches, which are *checked* against the invariants, if there are any."""
    return CHECKING if checked and rules.resolved_program.invariants else PLAYING


def machine(rules: Ruleset, seats: int, checked: bool = False) -> Machine:
    """Return what plays matches with a number of seats, automated ones included.

    Matches that are *checked* are left to Python where an invariant does not hold after a choice.

    Raises:
        ImportError: The runtime is not installed.
        Unsupported: Something of the program cannot be translated.
    """
    work = playing(rules, checked)

    def make() -> Machine:
        found = _prepare_search(rules, seats, work)
        return Machine(found.engine, found.module, found.floor, found.streams)

    made = _find_or_make(rules, seats, work, make)
    assert isinstance(made, Machine)
    return made


def prepare_search(rules: Ruleset, seats: int) -> Prepared:
    """Return what searches of matches with a number of seats are made of; it raises what :func:`machine` does."""
    made = _find_or_make(rules, seats, SEARCHING, lambda: _prepare_search(rules, seats, SEARCHING))
    assert isinstance(made, Prepared)
    return made


def prepare_batches(rules: Ruleset, seats: int) -> Prepared:
    """Return what plays batches of matches with a number of seats; it raises what :func:`machine` does."""
    made = _find_or_make(rules, seats, BATCHES, lambda: _prepare_search(rules, seats, PLAYING))
    assert isinstance(made, Prepared)
    return made


def _find_or_make(rules: Ruleset, seats: int, work: str, make: Callable[[], Made]) -> Made:
    with _making:
        known = _ready.setdefault(rules, {})
        place = os.getpid(), seats, work
        if place not in known:
            try:
                known[place] = make()
            except Unsupported as error:
                known[place] = error
        found = known[place]
    if isinstance(found, Unsupported):
        raise found
    return found


def known_before(rules: Ruleset, seats: int, work: str = PLAYING) -> bool:
    """Return whether a machine is there for nothing: it was made before, in this process or another one."""
    if (os.getpid(), seats, work) in _ready.get(rules, {}):
        return made_here(rules, seats, work)
    return kept.holds(kept.key_of(rules, seats, work))


def made_here(rules: Ruleset, seats: int, work: str = PLAYING) -> bool:
    """Return whether a machine was made in this process; that takes no time."""
    found = _ready.get(rules, {}).get((os.getpid(), seats, work))
    return found is not None and not isinstance(found, Unsupported)


def _prepare_search(rules: Ruleset, seats: int, work: str) -> Prepared:
    runtime = engine()
    key = kept.key_of(rules, seats, work)
    return _load_cached(runtime, key) or _translate_search(runtime, key, rules, seats, work)


def _load_cached(runtime: Any, key: str) -> Prepared | None:
    import wasmtime

    found = kept.recall(key)
    if found is None:
        return None
    reported, data = found
    try:
        module = wasmtime.Module.deserialize(runtime, data)
        return Prepared(runtime, module, reported["floor"], reported["streams"], reported["texts"])
    except (wasmtime.WasmtimeError, KeyError):  # of a runtime that is set up otherwise
        kept.forget(key)
        return None


def _translate_search(runtime: Any, key: str, rules: Ruleset, seats: int, work: str) -> Prepared:
    import wasmtime

    from patolli.run.native.linker import Linker
    from patolli.run.native.program import source_of

    with without_garbage_collection():
        linker = Linker(source_of(rules, seats, checked=work == CHECKING))
        try:
            module = wasmtime.Module(runtime, linker.link(searching=work == SEARCHING))
        except wasmtime.WasmtimeError as error:
            raise no_room(error) from None
    reported = {"floor": linker.floor, "streams": linker.streams(), "texts": list(linker.statics.texts)}
    kept.keep(key, reported, bytes(module.serialize()))
    return Prepared(runtime, module, linker.floor, linker.streams(), list(linker.statics.texts))
