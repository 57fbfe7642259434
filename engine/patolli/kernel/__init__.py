"""What compiled rules call: payments, pieces, shapes, regions, chance."""

from importlib import import_module
from pkgutil import iter_modules

for _module in sorted(module.name for module in iter_modules(__path__) if not module.ispkg):
    import_module(f"{__name__}.{_module}")  # what rules may call enters itself
