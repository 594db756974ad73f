# SPDX-License-Identifier: Apache-2.0
"""The platform: the TPUs of this machine, and ahead-of-time compilation for slices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from olympus_core.plugin import API_VERSION, AheadOfTime, PlatformSettings, Probe, Topology

from . import environment

if TYPE_CHECKING:
    from olympus_core.program import DeviceProgram

    from .client import TpuClient


class TpuPlatform:
    """TPUs behind libtpu; also `olympus_core.plugin.CompilesAhead`."""

    name = "tpu"
    aliases: tuple[str, ...] = ()
    priority = 20
    api_version = API_VERSION

    def probe(self) -> Probe:
        """Whether there are TPUs and libtpu; reads files only, so that it never waits for a metadata service."""
        chips, library = environment.chips(), environment.library()
        if chips and library is not None:
            return Probe(True, f"{len(chips)} TPU chips ({', '.join(chips)}) and {library}")
        absent = [] if chips else ["this machine has no TPU (no /dev/accel* or /dev/vfio/* of a Google device)"]
        if library is None:
            absent.append("libtpu is not installed")
        hint = "; olympus compile --topology works without a TPU" if library is not None else ""
        return Probe(False, " and ".join(absent) + hint)

    def open(self, settings: PlatformSettings) -> TpuClient:
        """Loads libtpu and opens this machine's TPUs.

        Args:
            settings: Its option ``precision`` is the precision of float32 products.

        Raises:
            TpuLibraryError: libtpu is not installed.
            TpuJobError: The job's processes do not fit the slice.
            PjrtError: It cannot open its devices.
        """
        from .client import TpuClient
        from .errors import TpuLibraryError

        library = environment.library()
        if library is None:
            raise TpuLibraryError("Platform tpu")
        if settings.local_device_ids is not None:
            environment.show_only(settings.local_device_ids)
        if settings.rendezvous is not None and settings.process_count > 1:
            environment.tell_job(settings.rendezvous)
        return TpuClient(library, settings, environment.precision(settings.options.get("precision")))

    def topology(self, name: str) -> Topology:
        """The devices of a slice.

        Args:
            name: Its type, or its chips along the sides: ``v5litepod-16``, ``v5e:4x4``.

        Raises:
            TpuSliceError: No slice has the name.
            TpuLibraryError: libtpu is not installed.
        """
        from .compiler import describe

        return describe(name)

    def compile_ahead(self, program: DeviceProgram, topology: str) -> AheadOfTime:
        """Compiles a program for a slice's devices, in a child process: libtpu aborts its process on some errors.

        Raises:
            NotSupportedError: TPUs lack an element type or operation of the program.
            PjrtError: The compiler rejects it; out of memory is a `MemoryError`.
        """
        from .compiler import compile_ahead

        return compile_ahead(program, topology, environment.precision())
