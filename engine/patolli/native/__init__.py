"""The native back end: programs as WebAssembly, run by wasmtime; an extra, ``patolli[native]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patolli.native.heap import Unsupported

if TYPE_CHECKING:
    from patolli.native.host import Machine
    from patolli.runtime import Ruleset


def machine(rules: Ruleset, players: int | None = None) -> Machine:
    """Translate a ruleset for a number of players and return what plays it.

    Raises:
        ImportError: wasmtime is not there.
        Unsupported: Something in the ruleset cannot be carried out natively.
    """
    import wasmtime

    from patolli.native.host import Machine, engine
    from patolli.native.linking import Linker
    from patolli.native.program import source_of

    seats = (rules.players[0] if players is None else players) + rules.model.automated
    linker = Linker(source_of(rules, seats))
    data = linker.link()
    ready = engine()
    return Machine(ready, wasmtime.Module(ready, data), linker.floor, linker.streams())


__all__ = ["Unsupported", "machine"]
