# SPDX-License-Identifier: Apache-2.0
"""Finding NVIDIA's libraries and loading them with ctypes."""

from __future__ import annotations

import ctypes
import importlib.util
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

DRIVER = "libcuda.so.1"
_Library = TypeVar("_Library")


@dataclass(frozen=True, slots=True)
class LibraryLocation:
    """Where a library is looked for.

    Args:
        variable: The environment variable with which a user names another build of it.
        wheel: A pattern for its files in NVIDIA's wheels, below the package ``nvidia``.
        names: Its names for the system's loader, best first.
        settings: Environment variables that configure it, set where the user has not set them.
    """

    variable: str
    wheel: str
    names: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()

    def candidates(self) -> Iterator[str]:
        """The candidates, best first: the library that the user names, else the wheel's, then the system's."""
        named = os.environ.get(self.variable)
        if named:
            yield named
            return
        spec = importlib.util.find_spec("nvidia")
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            yield from sorted(map(str, Path(folder).glob(self.wheel)), reverse=True)
        yield from self.names

    def load(
        self, make: Callable[[ctypes.CDLL], _Library], missing: Callable[[Sequence[str]], Exception]
    ) -> _Library:
        """Loads the first candidate that `make` accepts.

        Args:
            make: Makes an interface of a loaded library; raises AttributeError where a function is missing.
            missing: Makes the error for when none is found, of the candidates.

        Raises:
            Exception: The error of `missing`.
        """
        found = list(self.candidates())
        for name, value in self.settings:
            os.environ.setdefault(name, value)
        for path in found:
            try:
                return make(ctypes.CDLL(path))
            except (OSError, AttributeError):
                continue
        raise missing(found)


def declare(handle: ctypes.CDLL, signatures: Mapping[str, Sequence[Any]]) -> None:
    """Declares the argument types of a library's functions, which return integers."""
    for name, arguments in signatures.items():
        getattr(handle, name).argtypes = arguments
