# SPDX-License-Identifier: Apache-2.0
"""The modules that exist for the door alone: `jax` itself, versions, private names in use, what stands for `jaxlib`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from olympus_core.errors.config import PrivateAttributeError
from olympus_core.location import warn_user

from .settings import SETTINGS
from .table import CONTEXTS, MOVED, PRIVATE, PUBLIC_WAYS, REPLACED, UNAVAILABLE, VERSION

_VERSIONS = {"__version__": VERSION, "__version_info__": tuple(map(int, VERSION.split(".")))}


class _Front(ModuleType):
    """A package of JAX's: the names of olympus's package, and modules that stand in this one."""

    def __init__(self, name: str) -> None:
        self._twin = import_module("olympus" + name[len("jax"):])
        super().__init__(name, self._twin.__doc__)
        if name == "jax":
            contexts = {name: functools.partial(SETTINGS.during, option) for name, option in CONTEXTS.items()}
            vars(self).update(_VERSIONS, config=SETTINGS, **contexts)

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":  # of `from jax import *`
            return [public for public in dir(self) if not public.startswith("_")]
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name)
        module = f"{self.__name__}.{name}"
        if module in MADE or module in REPLACED:
            return import_module(module)
        try:
            value = getattr(self._twin, name)
        except AttributeError:
            now = MOVED.get(self.__name__)
            if now is not None and name in dir(import_module(now)):
                warn_user(DeprecationWarning(f"{module} is deprecated: use {now}.{name}."))
                return getattr(import_module(now), name)
            raise AttributeError(f"{module}: olympus has no such name", name=name, obj=self) from None
        if isinstance(value, ModuleType) and value.__name__ == f"{self._twin.__name__}.{name}":
            return import_module(module)  # which then stands where libraries look for what JAX imports with itself
        return value

    def __dir__(self) -> list[str]:
        children = (name.rpartition(".") for name in ("jax.version", "jax.lib", *REPLACED))
        own = [child for parent, _, child in children if parent == self.__name__]
        return sorted({*dir(self._twin), *vars(self), *own} - {"_twin"})


class _Private(ModuleType):
    """One of JAX's private modules: the names in use, and an error that tells the public way for all others."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name)
        if f"{self.__name__}.{name}" in MADE:
            return import_module(f"{self.__name__}.{name}")
        place = PRIVATE[self.__name__].get(name)
        if place is None:
            raise PrivateAttributeError(f"{self.__name__}.{name}", public_way(f"{self.__name__}.{name}"))
        module, _, attribute = place.partition(":")
        value = getattr(import_module(module), attribute)
        setattr(self, name, value)
        return value


class _Unavailable(ModuleType):
    """A public module that olympus does not have, for libraries that import it and do not use it here."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name)
        from .private import Unavailable  # what it imports is not needed to find modules

        return Unavailable(f"{self.__name__}.{name}", UNAVAILABLE[self.__name__])


def _versions(name: str) -> ModuleType:
    module = ModuleType(name)
    vars(module).update(_VERSIONS)
    return module


MADE: dict[str, Callable[[str], ModuleType]] = {
    **dict.fromkeys(
        ("jax", "jax.experimental", "jax.experimental.pallas", "jax.extend", "jax.interpreters", *MOVED), _Front),
    "jax.version": _versions,
    "jax.cloud_tpu_init": ModuleType,
    "jax.lib": _versions,
    **dict.fromkeys(PRIVATE, _Private),
    **dict.fromkeys(UNAVAILABLE, _Unavailable),
    "jaxlib": _versions,
    "jaxlib.version": _versions,
}


def public_way(fullname: str) -> str | None:
    """The public modules that have what programs seek in a private one.

    Args:
        fullname: A private module, or a name in one.

    Returns:
        Their names in text; None where no public way is known.
    """
    parts = fullname.split(".")
    for length in range(len(parts), 1, -1):
        if (found := PUBLIC_WAYS.get(".".join(parts[:length]))) is not None:
            return found
    return None
