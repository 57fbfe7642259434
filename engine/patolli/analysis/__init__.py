"""Check a composed ruleset: resolve it, check its panels, and prove what makes a pack trustworthy."""

from __future__ import annotations

from patolli.analysis.check import analyse

__all__ = ["analyse"]
