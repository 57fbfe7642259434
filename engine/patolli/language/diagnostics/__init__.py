"""Spans, problems, and the ways to show them."""

from patolli.language.diagnostics.fix_edits import apply_edits, behind, instead
from patolli.language.diagnostics.problem import ContentError, Edit, Fix, Problem, Severity, Span, start_of
from patolli.language.diagnostics.suggest import nearest

__all__ = [
    "ContentError",
    "Edit",
    "Fix",
    "Problem",
    "Severity",
    "Span",
    "apply_edits",
    "behind",
    "instead",
    "nearest",
    "start_of",
]
