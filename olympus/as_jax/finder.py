# SPDX-License-Identifier: Apache-2.0
"""Where `import jax` finds olympus: a finder that stands before Python's own."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, DistributionFinder
from types import ModuleType
from typing import Any

from olympus_core.errors.config import PrivateNameError

from . import modules
from .distribution import Peer
from .settings import translate_environment
from .table import REPLACED

_ROOTS = ("jax", "jaxlib")


def opened() -> bool:
    """Whether a finder stands in this process."""
    return any(isinstance(finder, Finder) for finder in sys.meta_path)


class Finder(MetaPathFinder):
    """Finds `jax`, `jaxlib` and what is below them, each as the module of olympus that has its names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of a name; None for names of others, and where olympus has no such module.

        Raises:
            ModuleNotFoundError: There is none, and Python would take one of olympus's own files for it.
            PrivateNameError: The module is one of JAX's own.
        """
        if fullname.partition(".")[0] not in _ROOTS:
            return None
        if fullname not in modules.MADE and fullname.startswith(("jax._src.", "jaxlib.")):
            raise PrivateNameError(fullname, modules.public_way(fullname))
        if fullname not in modules.MADE and _module(fullname) is None:
            if not path:
                return None
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return ModuleSpec(fullname, _Loader(), is_package=True)

    def find_distributions(self, context: DistributionFinder.Context | None = None) -> Iterable[Distribution]:
        """What `importlib.metadata.version` says of JAX: the version whose names olympus has."""
        asked = None if context is None else context.name
        for name in _ROOTS:
            if asked is None or asked.lower() == name:
                yield Peer(name)


class _Loader(Loader):
    """Puts the module of olympus where Python expects the one that it made itself."""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """The modules that exist for the door alone; None for those of olympus."""
        make = modules.MADE.get(spec.name)
        return None if make is None else make(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Gives way to olympus's module of the same name."""
        name = module.__name__
        if name == "jax":
            translate_environment()  # what the program has set before the import holds, as it does for JAX
        if name not in modules.MADE and (found := _module(name)) is not None:
            sys.modules[name] = found
            for public in dir(found):  # libraries look into its dictionary, where names that are imported late miss
                getattr(found, public)


def _module(fullname: str) -> ModuleType | None:
    """The module of olympus that has a public module's names; None where there is none."""
    if fullname in REPLACED:
        return import_module(REPLACED[fullname])
    parent, _, name = fullname.rpartition(".")
    found: Any = None
    if name in dir(sys.modules[parent]):
        above = sys.modules[parent]
        found = getattr(vars(above).get("_twin", above), name, None)  # the front's own way would come back here
    return import_module(found.__name__) if isinstance(found, ModuleType) else None
