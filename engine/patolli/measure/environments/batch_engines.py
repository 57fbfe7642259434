"""Choose what plays a batch: the native engine where it can, and otherwise Python."""

from __future__ import annotations

from patolli.language.diagnostics.given import whole
from patolli.measure.environments.batch import RESETS, Batch
from patolli.measure.environments.batch_tables import RowFormat
from patolli.measure.environments.native_batch import NativeBatch
from patolli.measure.environments.python_batch import PythonBatch
from patolli.measure.environments.table import Table, check_illegal
from patolli.measure.simulation.natively import ENGINES, INSTALL
from patolli.run.native.heap import Unsupported


def make_batch(table: Table, num_envs: int, illegal: str, autoreset: str, engine: str) -> Batch:
    """Return a batch of environments.

    Args:
        table: What is played, and how it is observed.
        num_envs: How many there are.
        illegal: ``raise`` or ``lose``.
        autoreset: ``next_step``, ``same_step`` or ``disabled``.
        engine: ``native``, ``python``, or ``auto``: native where it can be.

    Raises:
        TypeError: The number is no whole number.
        ValueError: An argument is none of these, or the native engine is requested and cannot play this.
    """
    num_envs = whole(num_envs, "the number of environments")
    if num_envs < 1:
        raise ValueError(f"the number of environments must be at least 1, not {num_envs}")
    check_illegal(illegal)
    if autoreset not in RESETS:
        raise ValueError(f"unknown autoreset mode {autoreset!r}; use one of {', '.join(RESETS)}")
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r}; use one of {', '.join(ENGINES)}")
    layout = RowFormat(table.observations, table.encoding)
    why = "the engine 'python' was requested"
    if engine != "python":
        try:
            return NativeBatch(table, layout, num_envs, illegal, autoreset)
        except ModuleNotFoundError as error:
            if error.name != "wasmtime":
                raise
            why = INSTALL
        except Unsupported as error:
            why = f"{table.rules.title} cannot be played natively: {error}"
        if engine == "native":
            raise ValueError(why)
    return PythonBatch(table, layout, num_envs, illegal, autoreset, why)
