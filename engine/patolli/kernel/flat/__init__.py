"""Functions of the kernel once more, in the small part of Python that can be translated.

Most of the kernel is written in it anyway: whole numbers and lists, loops, and functions that are handed on. Where that
would be slower in Python, or longer (generators, dictionaries, sets), a twin stands here
and enters itself in ``library.NATIVE``. It gives the same in the same order, calls what it is handed as often, fails in
the same way and draws as much on the step budget, at the same times.
"""

from importlib import import_module
from pkgutil import iter_modules

for _module in sorted(module.name for module in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")
