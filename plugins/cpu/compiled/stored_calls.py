# SPDX-License-Identifier: Apache-2.0
"""Native calls as data, for later processes: steps with the names of their functions, and the memory that they read.

What is kept holds no addresses: a function is a library, by its object code's key, and a name in it, or it belongs to
code that every process has; memory is a table of numbers, some of which become addresses of other memory or of LAPACK's
functions; the plan of a loop is its parts.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import KernelDescription
from olympus_core.toolkit.stored_data import UnfitData, packed, unpacked

from ..contractions.gemm import Gemm
from ..native.cache import ObjectCache
from ..native.entry import Entry, Slots, Step, make_entry
from ..native.linker import Library, linked_again
from ..native.loops import Carry, LoopPlan, SlicedSlot, branch_words
from ..native.routines import UNITS, Routine, bound, unit
from ..native.runtime import runtime

_RUNTIME = -1  # the number of the native runtime's library; units of routines have those below
_MOST_BYTES = 4 << 20  # of tables; what needs more is compiled anew


class Memory:
    """The memory that a call's constants are addresses of, by address.

    Args:
        is_optimised: Whether all code is optimised.
        kernels: The libraries of the group's own kernels.

    Attributes:
        known: Arrays, GEMMs (by both of their descriptors), routines by their words, plans of loops, and the plans of
            a branch's regions by their addresses.
        libraries: The libraries of its functions, the group's own kernels first.
        own: How many those are.
        routines: The numbers and names of routines' functions, by their addresses.
    """

    def __init__(self, is_optimised: bool, kernels: Sequence[Library] = ()) -> None:
        self.is_optimised, self.own = is_optimised, len(kernels)
        self.known: dict[int, np.ndarray | Gemm | LoopPlan | Routine | tuple[int, ...]] = {}
        self.libraries: dict[Library, None] = dict.fromkeys(kernels)
        self.routines: dict[int, tuple[int, str]] = {}

    def add_library(self, library: Library) -> None:
        """Told of a library, after those whose code it calls."""
        if library.needs is not None:
            self.libraries[library.needs] = None
        self.libraries[library] = None

    def add_gemm(self, gemm: Gemm) -> None:
        """Told of a GEMM whose descriptors are constants."""
        for descriptor in (gemm.descriptor, gemm.pack_descriptor):
            if descriptor is not None:
                self.known[int(descriptor.ctypes.data)] = gemm

    def add_routine(self, routine: Routine, level: int) -> None:
        """Told of a routine whose words are a constant, and of the level of its code."""
        self.known[int(routine.bound.ctypes.data)] = routine
        self.routines[routine.kernel(level)] = (_RUNTIME - 1 - UNITS.index((routine.unit, level)), routine.function)


def stored_call(steps: Sequence[Step], slots: Slots, mode: int, memory: Memory) -> bytes | None:
    """A call as data; None for one that needs too much memory.

    Args:
        steps: Its steps.
        slots: Its slots.
        mode: How it runs them.
        memory: What its constants are addresses of.
    """
    writer = _Writer(memory)
    constants = [writer.item(address) for address in slots.constants]
    numbers = {library: i for i, library in enumerate(memory.libraries)}
    header = {
        "steps": writer.steps(steps), "arguments": slots.arguments, "outputs": slots.outputs,
        "temporaries": slots.temporaries, "constants": constants, "mode": mode, "items": writer.items,
        "libraries": [[library.key, list(library.addresses), None if library.needs is None else numbers[library.needs]]
                      for library in memory.libraries],
        "optimised": memory.is_optimised, "own": memory.own,
    }
    return None if sum(map(len, writer.blobs)) > _MOST_BYTES else packed(header, list(writer.blobs))


class _Writer:
    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.items: list[Any] = []
        self.blobs: dict[bytes, int] = {}
        self._numbers: dict[int, int] = {}
        self._symbols: dict[int, tuple[int, str]] = {
            a: (_RUNTIME, name) for name, a in runtime().addresses.items()} | memory.routines
        for i, library in enumerate(memory.libraries):
            self._symbols.update({a: (i, name) for name, a in library.addresses.items()})

    def steps(self, steps: Sequence[Step]) -> list[Any]:
        return [[*self._symbols[s.kernel], s.total, s.chunk, s.tables, s.joined, s.piecewise, *s.about] for s in steps]

    def item(self, address: int) -> int:
        """The number of the memory at an address."""
        if address not in self._numbers:
            made = self._made(self._memory.known[address], address)
            self._numbers[address] = len(self.items)
            self.items.append(made)
        return self._numbers[address]

    def _made(self, thing: Any, address: int) -> list[Any]:
        if isinstance(thing, LoopPlan):
            return ["loop", thing.trip_count, thing.state, thing.temporaries,
                    [self.item(a) for a in thing.constants], self.steps(thing.body),
                    [[c.read, c.written, c.temporary, c.size, c.kind] for c in thing.carries],
                    [[s.slot, s.first, s.stride] for s in thing.sequences], thing.mode,
                    self.steps(thing.condition), thing.flag, self.steps(thing.first)]
        if isinstance(thing, tuple):
            return ["branch", [self.item(a) for a in thing]]
        if isinstance(thing, Routine):
            return ["routine", self._blob(thing.words), [[place, name] for place, name in thing.functions]]
        if isinstance(thing, Gemm):
            words, addresses = thing.relocated(address)
            return ["words", self._blob(words), [[i, self._blob(a)] for i, a in addresses.items()]]
        return ["array", self._blob(thing)]

    def _blob(self, memory: np.ndarray) -> int:
        return self.blobs.setdefault(np.ascontiguousarray(memory).tobytes(), len(self.blobs))


def restored_call(data: bytes, cache: ObjectCache | None, lines: Mapping[str, str]) -> tuple[Entry, bool]:
    """The native call of such data, and whether all its code is optimised.

    Args:
        data: What `stored_call` gave.
        cache: Where the object code is.
        lines: For each line of the program that was kept that of the program that runs; others are not known.

    Raises:
        UnfitData: When it does not fit, or code is missing.
    """
    try:
        header, blobs = unpacked(data)
        return _Reader(header, blobs, cache, lines).entry(), header["optimised"] is True
    except (LookupError, TypeError, ValueError, OverflowError, OlympusInternalError) as error:
        raise UnfitData(f"{type(error).__name__}: {error}") from error


class _Reader:
    def __init__(
        self, header: Mapping[str, Any], blobs: Sequence[bytes], cache: ObjectCache | None, lines: Mapping[str, str]
    ) -> None:
        self._header, self._lines = header, lines
        self._libraries: list[Library] = []
        for key, names, needs in header["libraries"]:
            library = linked_again(key, names, cache, None if needs is None else self._libraries[needs])
            if library is None:
                raise UnfitData("its object code is not there")
            self._libraries.append(library)
        self._blobs = [np.frombuffer(blob, np.uint8).copy() for blob in blobs]
        self._kept: list[Any] = []
        self._addresses: list[int] = []

    def entry(self) -> Entry:
        header = self._header
        for item in header["items"]:  # each needs earlier ones only
            made = self._made(*item)
            self._kept.append(made)
            self._addresses.append(int(made.ctypes.data) if isinstance(made, np.ndarray) else made.buffer_info()[0])
        slots = Slots(header["arguments"], tuple(header["outputs"]), tuple(header["temporaries"]),
                      tuple(self._addresses[i] for i in header["constants"]))
        keep = self._libraries[:header["own"]], (self._libraries, self._blobs, self._kept)
        return make_entry(self._steps(header["steps"]), slots, header["mode"], keep=keep)

    def _steps(self, data: Sequence[Any]) -> list[Step]:
        return [Step(self._library(library)[name], total, chunk, tuple(map(tuple, tables)), joined, piecewise,
                     KernelDescription(str(title), self._lines.get(line, ""), int(size), float(work)))
                for library, name, total, chunk, tables, joined, piecewise, title, line, size, work in data]

    def _library(self, number: int) -> Library:
        if number >= 0:
            return self._libraries[number]
        return runtime() if number == _RUNTIME else unit(*UNITS[_RUNTIME - 1 - number])

    def _made(self, kind: str, *parts: Any) -> Any:
        if kind == "array":
            return self._blobs[parts[0]]
        if kind == "words":
            words = self._blobs[parts[0]].view(np.int64).copy()
            for i, blob in parts[1]:
                words[i] = self._blobs[blob].ctypes.data
            return words
        if kind == "routine":
            return bound(self._blobs[parts[0]].view(np.int64), [(place, name) for place, name in parts[1]])
        if kind == "branch":
            return branch_words([self._region(i) for i in parts[0]])
        if kind != "loop":
            raise UnfitData(kind)
        trip_count, state, temporaries, constants, body, carries, sequences, mode, condition, flag, first = parts
        return LoopPlan(
            trip_count, state, tuple(temporaries), tuple(self._addresses[i] for i in constants), self._steps(body),
            [Carry(*c) for c in carries], [SlicedSlot(*s) for s in sequences], mode, self._steps(condition),
            flag, self._steps(first)).words()

    def _region(self, item: int) -> array[int]:
        found = self._kept[item]
        if not isinstance(found, array):
            raise UnfitData("a branch to what is no region")
        return found


__all__ = ["Memory", "restored_call", "stored_call"]
