"""NVIDIA's own libraries: where they are, and loading them by ctypes."""

from __future__ import annotations

import ctypes
import importlib.util
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

_Library = TypeVar("_Library")


@dataclass(frozen=True, slots=True)
class LibraryLocation:
    """Where a library may be.

    Args:
        variable: The environment variable in which a user names another build of it.
        wheel: Its files in the wheels of NVIDIA's, below the package ``nvidia``, as a pattern.
        names: What the system may know it as, best first.
        settings: What it is told through the environment where the user has not said anything else.
    """

    variable: str
    wheel: str
    names: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()

    def candidates(self) -> Iterator[str]:
        """The libraries that may be there, best first: the one the user names, the wheel's, the system's."""
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
        """What is made of the first library that can be loaded, and has what is called.

        Raises:
            Exception: What `missing` makes of the candidates, where none can.
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
    """Tells ctypes the arguments of a library's functions; their results are numbers."""
    for name, arguments in signatures.items():
        getattr(handle, name).argtypes = arguments
