"""Typed tree in, executable rules out."""

from patolli.compiler.program import Program, compile_program

__all__ = ["Program", "compile_program"]
