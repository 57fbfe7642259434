"""One entry to content: all code that loads, validates, tests or edits a pack comes in here.

The stages, each a module and callable alone:

1. ``needs``: find what a pack needs, from manifests alone.
2. ``choosing``: put together the packs and options that a caller asks for.
3. ``inspecting``: compose and check them; a sound ruleset can be played, and compiles when it is.
4. ``scenarios``: check the scenarios of a pack without playing them.
5. ``checking``: all of that for one pack, with the comments that allow findings.
6. ``several``: many packs, in several processes; ``cache`` remembers what was found, ``proven`` which were proved.

Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from patolli.author.workspace.findings import Findings, Request
    from patolli.author.workspace.inspection import Inspection, inspect, load, resolve_folder
    from patolli.author.workspace.needs import Requirements, requirements
    from patolli.author.workspace.pack_check import PackCheck, check_pack
    from patolli.author.workspace.pack_choice import choose, wrong_options
    from patolli.author.workspace.several import ValidationReport, check_packs

_HOMES = {
    "Requirements": "needs",
    "requirements": "needs",
    "choose": "pack_choice",
    "wrong_options": "pack_choice",
    "Inspection": "inspection",
    "inspect": "inspection",
    "load": "inspection",
    "resolve_folder": "inspection",
    "PackCheck": "pack_check",
    "check_pack": "pack_check",
    "Findings": "findings",
    "Request": "findings",
    "ValidationReport": "several",
    "check_packs": "several",
}

__all__ = [
    "Findings",
    "Inspection",
    "PackCheck",
    "Request",
    "Requirements",
    "ValidationReport",
    "check_pack",
    "check_packs",
    "choose",
    "inspect",
    "load",
    "requirements",
    "resolve_folder",
    "wrong_options",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'patolli.author.workspace' has no attribute {name!r}")
    return getattr(import_module(f"patolli.author.workspace.{_HOMES[name]}"), name)
