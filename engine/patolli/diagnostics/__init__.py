"""Spans, problems, and the ways to show them."""

from patolli.diagnostics.fixing import applied, behind, instead
from patolli.diagnostics.problem import ContentError, Edit, Fix, Problem, Severity, Span, start_of
from patolli.diagnostics.suggest import nearest

__all__ = [
    "ContentError",
    "Edit",
    "Fix",
    "Problem",
    "Severity",
    "Span",
    "applied",
    "behind",
    "instead",
    "nearest",
    "start_of",
]
