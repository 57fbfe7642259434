"""Names, types and the checks that make a pack trustworthy."""

from __future__ import annotations

from patolli.analysis.check import analyse
from patolli.analysis.model import Model

__all__ = ["Model", "analyse"]
