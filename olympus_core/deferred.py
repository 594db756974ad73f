"""Names of a package that are imported when they are first asked for, not with the package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def deferred(package: str, places: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's `__getattr__`, which imports some names only when somebody asks for them, and `__dir__`, with all.

    Importing olympus costs a third of a millisecond for each module, and most programs need few of the rarer ones.

    Args:
        package: The package, its `__name__`.
        places: For each such name the module below the package that defines it; for a module of the package, itself.

    Returns:
        What Python calls for a name that the package does not have yet, and for the names that it has.

    Examples:
        `__getattr__, __dir__ = deferred(__name__, {"grad": "transforms.derivatives", "nn": "nn"})`

    References:
        PEP 562, Module __getattr__ and __dir__.
    """
    def __getattr__(name: str) -> Any:
        place = places.get(name)
        if place is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        module = import_module(f".{place}", package)
        value = module if name == place else getattr(module, name)
        setattr(sys.modules[package], name, value)  # found without this function from now on
        return value

    def __dir__() -> list[str]:
        return sorted({*vars(sys.modules[package]), *places})

    return __getattr__, __dir__
