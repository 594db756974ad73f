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
        """The module of a name; None for names of others.

        Raises:
            ModuleNotFoundError: JAX may have such a module; olympus has none.
            PrivateNameError: The module is one of JAX's own.
        """
        if fullname.partition(".")[0] not in _ROOTS:
            return None
        if fullname not in modules.MADE and fullname.startswith(("jax._src.", "jaxlib.")):
            raise PrivateNameError(fullname, modules.public_way(fullname))
        return ModuleSpec(fullname, _Loader(), is_package=True)

    def find_distributions(self, context: DistributionFinder.Context | None = None) -> Iterable[Distribution]:
        """What `importlib.metadata.version` says of JAX: the version whose names olympus has."""
        if context is not None and context.name in _ROOTS:
            yield Peer(context.name)


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
        if name not in modules.MADE:
            sys.modules[name] = _module(name)


def _module(fullname: str) -> ModuleType:
    """The module of olympus that has a public module's names."""
    if fullname in REPLACED:
        return import_module(REPLACED[fullname])
    parent, _, name = fullname.rpartition(".")
    found: Any = None
    if name in dir(sys.modules[parent]):
        found = getattr(sys.modules[parent], name, None)
    if not isinstance(found, ModuleType):
        del sys.modules[fullname]
        raise ModuleNotFoundError(f"No module named {fullname!r}: olympus has no such module", name=fullname)
    return import_module(found.__name__)

