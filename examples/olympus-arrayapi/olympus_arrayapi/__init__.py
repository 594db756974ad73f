"""Platforms out of array libraries: one class, an entry point for each library."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import Client, Platform, PlatformSettings, Probe, hookimpl

if TYPE_CHECKING:
    from olympus_core.toolkit import KernelFactory

DEVICES = 2  # as many as are asked for; a library of one processor shows it several times


class ArrayLibrary:
    """A platform that runs programs with the functions of one library.

    Args:
        name: The platform's name.
        namespace: The module with the standard's functions.
        needs: The packages without which there is no such module.
        inexact: Operations in which the library is less exact than the contract asks, with the element types; there
            NumPy runs them.
    """

    aliases: tuple[str, ...] = ()
    priority = -2
    api_version = (1, 0)  # the version of the contract that this was written for

    def __init__(
        self, name: str, namespace: str, needs: Sequence[str],
        inexact: Mapping[str, Collection[np.dtype]] = MappingProxyType({}),
    ) -> None:
        self.name, self._namespace, self._needs, self._inexact = name, namespace, tuple(needs), inexact

    @hookimpl
    def olympus_platform(self) -> Platform:
        """Called once by olympus: the platform."""
        return self

    def probe(self) -> Probe:
        """Whether the library is installed; does not import it."""
        missing = [package for package in self._needs if importlib.util.find_spec(package) is None]
        if missing:
            return Probe(False, f"not installed: {', '.join(missing)}")
        return Probe(True, f"{', '.join(self._needs)} found")

    def open(self, settings: PlatformSettings) -> Client:
        """Imports the library and makes a table of its functions."""
        from olympus_core.toolkit import table_from_namespace, table_platform

        table = table_from_namespace(importlib.import_module(self._namespace))
        careful = {name: without(table.factories[name], kinds) for name, kinds in self._inexact.items()}
        table = table.with_entries(factories=careful)
        kind = f"{self._needs[0]} {version(self._needs[0])}"
        return table_platform(self.name, table, DEVICES, kind=kind, api_version=self.api_version).open(settings)


def without(factory: KernelFactory, left_out: Collection[np.dtype]) -> KernelFactory:
    """The factory for the other element types: where it gives nothing, the operation's reference runs."""
    return lambda operation: None if operation.operands[0].type.dtype in left_out else factory(operation)


# The objects that the entry points name.
strict = ArrayLibrary("array_api_strict", "array_api_strict", ["array_api_strict"])
# Its vectorised square root is off by a unit in the last place now and then, and sums and differences of complex
# numbers lose the signs of zeros.
torch = ArrayLibrary("torch", "array_api_compat.torch", ["torch", "array_api_compat"], inexact={
    "sqrt": [dtypes.float32, dtypes.float64], **dict.fromkeys(("add", "sub", "neg"), dtypes.COMPLEXES),
})
