# SPDX-License-Identifier: Apache-2.0
"""Programs as text in other words: a jaxpr's, or a dialect that a platform writes."""

from __future__ import annotations

from collections.abc import Callable

from olympus_core.errors import ArgumentError, NotSupportedError, described
from olympus_core.plugin import WritesDialects
from olympus_core.program import DeviceProgram, Program, program_text
from olympus_core.runtime.registry import registry

from .jaxpr import closed_jaxpr

_FURTHER = ("stablehlo",)


def as_text(program: Program, dialect: str | None, locations: bool, split: Callable[[], DeviceProgram]) -> str:
    """A program as text.

    Args:
        program: The program.
        dialect: None or ``"olympus"``, ``"jaxpr"``, or one that platforms write.
        locations: Whether operations have the user's lines.
        split: The program of one device, which platforms write.
    """
    if dialect in (None, "olympus"):
        return program_text(program, locations)
    if dialect == "jaxpr":
        return str(closed_jaxpr(program))
    if dialect not in _FURTHER:
        raise ArgumentError("as_text", "there is no such dialect", described(dialect),
                            "None, 'olympus', 'jaxpr' or 'stablehlo'; of what is compiled, 'kernels' as well")
    device_program = split()
    further = {"locations": True} if locations else {}  # platforms of before do not know of it
    for platform in registry.installed():
        if isinstance(platform, WritesDialects):
            found = platform.dialect_text(device_program, dialect, **further)
            if found is not None:
                return found
    raise NotSupportedError(f"The dialect {dialect!r}", "no installed platform writes it",
                            "Install the package of one that does; `olympus doctor` lists the platforms.")
