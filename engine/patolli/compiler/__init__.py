"""Resolved program in, executable rules out."""

from patolli.compiler.assembly import compile_program
from patolli.compiler.executable import Executable

__all__ = ["Executable", "compile_program"]
