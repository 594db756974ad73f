# SPDX-License-Identifier: Apache-2.0
"""`emulate(name)`: from then on the CPU platform of this process generates code for ARM, which an emulator runs.

Kernels, products and the routines that were written in C are ARM's; what calls them (the native runtime, with its
threads and loops) stays this machine's, as do NumPy and LAPACK.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from olympus_core.errors.platform import NativeCodeError
from olympus_cpu.codegen.target import Target
from olympus_cpu.machine import description
from olympus_cpu.machine.loading import Layout
from olympus_cpu.machine.object_files import AARCH64, ObjectFile
from olympus_cpu.native import generators, linker
from olympus_cpu.native.runtime import runtime

from .processor import Processor

# Kernels take four words; tests call functions of their own with more. What a caller does not give is not looked at.
_FUNCTION = ctypes.CFUNCTYPE(None, *[ctypes.c_uint64] * 8)


class Emulation:
    """A process whose kernels are ARM's.

    Args:
        target: The processor.
    """

    def __init__(self, target: Target) -> None:
        self.processor = Processor(target.vector_bits)
        self._thunks: list[Any] = []  # must last as long as the process

    def load(
        self, code: bytes, exports: Iterable[str], imports: Mapping[str, int]
    ) -> tuple[object, dict[str, int]]:
        """Loads object code in the place of `olympus_cpu.machine.loading.load_object`."""
        file = ObjectFile(code)
        if file.machine != AARCH64:
            raise NativeCodeError("the code is not ARM's", "")
        names, entries = tuple(exports), self.processor.entries
        layout = Layout(file)
        memory, address = self.processor.place(layout.size)
        found = layout.write(memory, address, names, {n: entries.get(a, a) for n, a in imports.items()})
        return self, {name: self._thunk(place) for name, place in found.items()}

    def _thunk(self, address: int) -> int:
        call = self.processor.call

        def run(*words: int) -> None:
            call(address, *words)

        thunk = _FUNCTION(run)
        self._thunks.append(thunk)
        place = ctypes.cast(thunk, ctypes.c_void_p).value or 0
        self.processor.entries[place] = address
        return place


def emulate(name: str) -> Emulation:
    """Begins it, before anything was compiled; a process cannot go back.

    Args:
        name: A processor, as in `Target.named`.
    """
    runtime()  # this machine's
    target = Target.named(name)
    whole = description._whole()
    description._known = replace(
        whole, triple=target.triple, layout=target.data_layout, cpu=target.cpu, features=target.features,
        scalable_bits=target.scalable_bits)
    for one in generators._all():
        one.machine = None  # this machine's
    emulation = Emulation(target)
    linker.load_object = emulation.load  # type: ignore[assignment]
    return emulation
