# SPDX-License-Identifier: Apache-2.0
"""Ahead-of-time compilation for slices, in child processes: libtpu aborts its process on some errors."""

from __future__ import annotations

import functools
import subprocess
import sys
import tempfile
from typing import Any

from olympus_core.plugin import AheadOfTime, DeviceDescription, Topology
from olympus_core.program import DeviceProgram
from olympus_pjrt.stablehlo import Precision, emit, tpu_policy

from . import environment
from .errors import TpuCompilerError, TpuLibraryError
from .messages import Request, read_answer, write_request
from .slices import Slice, slice_of

_SECONDS = 900.0
_SHOWN = 2000


def describe(name: str) -> Topology:
    """The devices of a slice; see `TpuPlatform.topology`."""
    return _described(slice_of(name).topology)


@functools.lru_cache(maxsize=16)
def _described(topology: str) -> Topology:
    found = _ask(slice_of(topology), f"describe {topology}", None, ())
    processes: dict[int, list[DeviceDescription]] = {}
    for process, description in found:
        processes.setdefault(process, []).append(description)
    return Topology(topology, tuple(tuple(processes[p]) for p in sorted(processes)))


def compile_ahead(program: DeviceProgram, topology: str, precision: Precision = "highest") -> AheadOfTime:
    """Compiles a program for a slice's devices; see `TpuPlatform.compile_ahead`.

    Args:
        program: The program; its devices are made from the slice's descriptions.
        topology: The slice's name.
        precision: The precision of float32 products.
    """
    text = emit(program, policy=tpu_policy(precision))
    found: AheadOfTime = _ask(
        slice_of(topology), f"compile {program.program.name} for {topology}", text,
        tuple(device.id for device in program.devices),
    )
    return found


def _ask(wanted: Slice, what: str, text: str | None, ids: tuple[int, ...]) -> Any:
    """Executes a request in a child process; raises its error."""
    library = environment.library()
    if library is None:
        raise TpuLibraryError("Compiling for TPUs")
    options = {**(wanted.generation.options or {}), "chips_per_host_bounds": wanted.chips_per_process}
    with tempfile.TemporaryDirectory(prefix="olympus-tpu-") as folder:
        write_request(folder, Request(library, wanted.topology, options, text, ids))
        try:
            done = subprocess.run(
                [sys.executable, "-m", "olympus_tpu.child", folder], env=environment.without_hardware(),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=_SECONDS,
                check=False, text=True, errors="replace",
            )
        except subprocess.TimeoutExpired:
            raise TpuCompilerError(what, f"had not ended after {_SECONDS:.0f} s", "") from None
        try:
            answer = read_answer(folder)
        except (OSError, ValueError):
            ending = f"ended with status {done.returncode}"
            raise TpuCompilerError(what, ending, done.stdout[-_SHOWN:]) from None
    if isinstance(answer, Exception):
        raise answer
    return answer
