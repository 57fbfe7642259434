"""Check a composed ruleset: resolve it, check what its rules do not use, and prove what makes a pack trustworthy.

What a section declares that is no part of the program is checked by a function behind ``@check`` in any module here.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from patolli.check.analysis.check import analyze, check_types

for _module in sorted(module.name for module in iter_modules(__path__)):  # every check enters itself into the list
    import_module(f"{__name__}.{_module}")

__all__ = ["analyze", "check_types"]
