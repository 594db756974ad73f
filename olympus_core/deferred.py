# SPDX-License-Identifier: Apache-2.0
"""What a package exports: names imported when they are first asked for, and what `dir` shows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any


def deferred(package: str, modules: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's `__getattr__`, which imports some names only when they are asked for, and `__dir__`, its `__all__`.

    Importing olympus costs a third of a millisecond for each module, and most programs need few of the rarer ones.

    Args:
        package: The package, its `__name__`.
        modules: For each such name the module below the package that defines it; for a module of the package, itself.

    Returns:
        What Python calls for a name that the package does not have yet, and for the names that it has.

    Examples:
        `__getattr__, __dir__ = deferred(__name__, {"grad": "transforms.derivatives", "nn": "nn"})`

    References:
        PEP 562, Module __getattr__ and __dir__.
    """
    def __getattr__(name: str) -> Any:
        module = modules.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        found = import_module(f".{module}", package)
        value = found if name == module else getattr(found, name)
        setattr(sys.modules[package], name, value)  # found without this function from now on
        return value

    def __dir__() -> list[str]:
        return sorted(vars(sys.modules[package])["__all__"])

    return __getattr__, __dir__


def listed(names: Iterable[str]) -> Callable[[], list[str]]:
    """A module's `__dir__`, which lists its public names and nothing else.

    Args:
        names: The module's `__all__`.
    """
    found = sorted(names)
    return lambda: found


def exported(
    package: str, modules: Sequence[str] = (), rarer: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a package that imports all names of its modules' `__all__` with a star.

    `dir` and `__all__` have these names and nothing else: those that the package has when this is called, if they
    have no underscore and are no modules, and those of its rarer modules.

    Args:
        package: The package, its `__name__`.
        modules: Modules of the package that are public themselves.
        rarer: Modules whose names are public, which are imported when one of them is first asked for.

    Returns:
        What Python calls for a name that the package does not have yet, and for the names that it has.

    References:
        PEP 562, Module __getattr__ and __dir__.
    """
    namespace = vars(sys.modules[package])
    hidden = ModuleType, type(annotations)  # a package's `from __future__` leaves a value of the latter
    eager = [name for name, value in namespace.items() if name[0] != "_" and not isinstance(value, hidden)]

    def __getattr__(name: str) -> Any:
        if name in modules:
            return import_module(f".{name}", package)
        if name == "__all__":
            return __dir__()
        if name[0] != "_":
            for module in rarer:
                found = import_module(f".{module}", package)
                if name in found.__all__:
                    namespace[name] = value = getattr(found, name)  # found without this function from now on
                    return value
        raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)

    def __dir__() -> list[str]:
        late = (name for module in rarer for name in import_module(f".{module}", package).__all__)
        return sorted({*eager, *modules, *late})

    return __getattr__, __dir__
