# SPDX-License-Identifier: Apache-2.0
"""The platform of a PJRT library: the one that the user names, or that a vendor's package brings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from olympus_core.plugin import API_VERSION, PlatformSettings, Probe

if TYPE_CHECKING:
    from olympus_core.program import DeviceProgram

    from .client import PjrtClient

# Environment variables, since probing needs the library before there are settings.
LIBRARY_VARIABLE, OPTIONS_VARIABLE = "OLYMPUS_PJRT_LIBRARY", "OLYMPUS_PJRT_OPTIONS"


class PjrtPlatform:
    """Any PJRT library as a platform; a vendor's package can define one under its own name.

    Args:
        name: The platform's name.
        library: The library's file; None for the one that the environment names.
        options: The library's own options for opening it.
        priority: See `olympus_core.plugin.Platform`.
        aliases: Further names.

    Example:
        A module of a vendor's, named by an entry point of group ``olympus.platforms``::

            @hookimpl
            def olympus_platform():
                return PjrtPlatform("acme", library=str(Path(__file__).with_name("acme_pjrt.so")))
    """

    api_version = API_VERSION

    def __init__(
        self, name: str = "pjrt", library: str | None = None, options: Mapping[str, object] | None = None,
        priority: int = 10, aliases: tuple[str, ...] = (),
    ) -> None:
        self.name, self.priority, self.aliases = name, priority, aliases
        self._library, self._options = library, dict(options or {})

    def probe(self) -> Probe:
        """Whether a library is named and its file exists; does not load it."""
        path = self._path({})
        if not path:
            return Probe(False, f"no PJRT library is named; {LIBRARY_VARIABLE}=/path/to/plugin.so names one")
        if os.sep in path and not os.path.isfile(path):
            return Probe(False, f"there is no file {path}, which {self._source()} names as PJRT library")
        return Probe(True, f"the PJRT library {path}")

    def open(self, settings: PlatformSettings) -> PjrtClient:
        """Loads the library and opens its devices.

        Args:
            settings: Its option ``library`` names another library, ``options`` gives options of the library's as
                ``name=value,...``.

        Raises:
            PjrtLibraryError: No library is named, or the file is none.
            PjrtError: The library cannot open its devices.
        """
        from .client import PjrtClient
        from .errors import PjrtLibraryError

        path = self._path(settings.options)
        if not path:
            raise PjrtLibraryError("", f"no library is named; {LIBRARY_VARIABLE} is not set")
        text = settings.options.get("options") or os.environ.get(OPTIONS_VARIABLE, "")
        options = {**known_defaults(path), **self._options, **read_options(text)}
        return PjrtClient(path, options, settings, self.name)

    def dialect_text(self, program: DeviceProgram, dialect: str, locations: bool = False) -> str | None:
        """The program as a StableHLO module.

        Args:
            program: The program.
            dialect: ``"stablehlo"``.
            locations: Whether each operation has its scopes and the user's line.
        """
        if dialect != "stablehlo":
            return None
        from .stablehlo import TypePolicy, emit  # only where such a text is asked for

        return emit(program, policy=TypePolicy(for_export=True), locations=locations)

    def _path(self, options: Mapping[str, str]) -> str:
        return os.path.expanduser(
            options.get("library") or self._library or os.environ.get(LIBRARY_VARIABLE, "").strip()
        )

    def _source(self) -> str:
        return "its package" if self._library else LIBRARY_VARIABLE


def known_defaults(path: str) -> dict[str, object]:
    """The options that olympus gives to a library whose name it knows, where the user gives no others.

    Args:
        path: The library's file.

    Returns:
        For XLA's library for NVIDIA GPUs, that it does not take most of the memory before it needs any: a platform
        beside it, or another process, would get none.
    """
    return {"preallocate": False} if "xla_cuda" in os.path.basename(path) else {}


def read_options(text: str) -> dict[str, str | int | float | bool | list[int]]:
    """The options of a text ``name=value,...``: numbers, bools and lists such as ``[0;1]`` are read as such.

    Args:
        text: What the user wrote; several options are separated by commas.

    Raises:
        PjrtOptionError: A part has no name or no value.

    Example:
        >>> read_options("visible_devices=[0;1], preallocate=true, memory_fraction=0.5")
        {'visible_devices': [0, 1], 'preallocate': True, 'memory_fraction': 0.5}
    """
    from .errors import PjrtOptionError

    found: dict[str, str | int | float | bool | list[int]] = {}
    for part in filter(None, (p.strip() for p in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not name or not equals:
            raise PjrtOptionError(text)
        found[name] = _value(value)
    return found


def _value(text: str) -> str | int | float | bool | list[int]:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text.startswith("[") and text.endswith("]"):
        try:
            return [int(number) for number in filter(None, (n.strip() for n in text[1:-1].split(";")))]
        except ValueError:
            return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
