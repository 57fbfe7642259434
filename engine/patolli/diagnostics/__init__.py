"""Spans, problems, and the ways to show them."""

from patolli.diagnostics.problem import ContentError, Problem, Severity, Span, start_of
from patolli.diagnostics.suggest import did_you_mean, nearest

__all__ = ["ContentError", "Problem", "Severity", "Span", "did_you_mean", "nearest", "start_of"]
