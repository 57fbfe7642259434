"""Resolved program in, executable rules out."""

from patolli.run.compiler.assembly import compile_program
from patolli.run.compiler.executable import Executable

__all__ = ["Executable", "compile_program"]
