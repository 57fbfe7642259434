"""Spans, problems, and the ways to show them."""

from patolli.language.diagnostics.fixing import applied, behind, instead
from patolli.language.diagnostics.problem import ContentError, Edit, Fix, Problem, Severity, Span, start_of
from patolli.language.diagnostics.suggest import nearest

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
