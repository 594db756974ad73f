"""Kernels become machine code: emitted, linked, cached, and made again with optimisation when they are used a lot."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from olympus_core.errors import DumpWarning
from olympus_core.program import DeviceProgram
from olympus_core.toolkit.fusion import KernelStep, estimate
from olympus_core.toolkit.loops import Kernel, kernel_key, print_kernel

from ..contractions.steps import ProductStep, product_steps
from ..native.cache import ObjectCache
from ..native.entry import INLINE, Entry, Step, make_entry
from ..native.linker import OPTIMISED, QUICK, is_cached, link
from ..native.schedule import schedule
from .group import Group
from .optimiser import Optimiser

_SECONDS = 0.25e-9  # what an addition takes in one thread, over all kinds of kernels
_CALLS_UNTIL_HOT = 3
_NOT_IN_NAMES = re.compile(r"[^\w.,()-]+")
_GRANULE = 64  # pieces of a lanes loop are multiples of this: whole cache lines for everybody
_LONG_WORK = 5e6  # an execution as large as this pays for optimised code at once


class KernelStore:
    """Compiled kernels of one client.

    Args:
        cache: Object code on disk; None for none.
        dump: Folder for the texts of what is compiled; None for none.
    """

    def __init__(self, cache: ObjectCache | None, dump: Path | None) -> None:
        self._cache, self._dump = cache, dump
        self._dump_failed = False
        self._optimiser = Optimiser()

    def entry(self, group: Group, name: str, renew: Callable[[Callable[..., Any]], None]) -> Callable[..., Any]:
        """The native call of a group; a quicker one is handed to `renew` once the group proves hot."""
        with self._optimiser.in_front():
            return self._entry(group, name, renew)

    def _entry(self, group: Group, name: str, renew: Callable[[Callable[..., Any]], None]) -> Callable[..., Any]:
        kernels = [step.kernel for step in group.steps if isinstance(step, KernelStep)]
        work = [estimate(kernel) for kernel in kernels]
        text = self._text(kernels, name) if kernels else ""
        # Products are good code at once: without optimisation their sums do not stay in registers.
        if not kernels or sum(work) >= _LONG_WORK or self._is_cached(text):
            return self._linked(group, text, work, OPTIMISED)
        quick = self._linked(group, text, work, QUICK)

        def better() -> None:
            renew(self._linked(group, text, work, OPTIMISED))

        return _Counting(quick, renew, lambda: self._optimiser.submit(better)).call

    def close(self) -> None:
        """Ends the optimiser."""
        self._optimiser.close()

    def _text(self, kernels: Sequence[Kernel], name: str) -> str:
        from ..codegen.emit import emit_module
        from ..codegen.target import Target

        text = emit_module([(kernel, f"k{i}") for i, kernel in enumerate(kernels)], Target.host(), _GRANULE)
        if self._dump is not None:
            self._write(kernels, text, name)
        return text

    def _is_cached(self, text: str) -> bool:
        return self._cache is not None and is_cached(text, OPTIMISED, self._cache)

    def _linked(self, group: Group, text: str, work: Sequence[float], level: int) -> Entry:
        library = link(text, [f"k{i}" for i in range(len(work))], level=level, cache=self._cache) if work else None
        steps: list[Step] = []
        mode, i = INLINE, 0
        keep: list[Any] = [library]
        for step in group.steps:
            if isinstance(step, ProductStep):
                more, own, kept = product_steps(group, step, self._cache, level, bool(steps))
                steps += more
                keep.append((step, kept))
            elif library is not None:
                made, own = self._step(group, step, library[f"k{i}"], work[i] * group.count * _SECONDS, len(steps))
                steps.append(made)
                i += 1
            mode = max(mode, own)
        return make_entry(steps, group.slots, mode, keep=keep)

    @staticmethod
    def _step(group: Group, step: KernelStep, address: int, seconds: float, index: int) -> tuple[Step, int]:
        """One kernel, and how it is best run."""
        loop = step.kernel.loop
        mode, chunk = schedule(loop.extent, seconds, group.count, _GRANULE if loop.kind == "lanes" else 1)
        if loop.kind == "serial":
            chunk = loop.extent
        tables = tuple(group.table(step, device) for device in range(group.count))
        joined = index > 0 and group.count > 1 and chunk == loop.extent
        return Step(address, loop.extent, chunk, tables, joined), mode

    def dump_program(self, program: DeviceProgram) -> None:
        """Leaves a program's text in the dump folder, if there is one."""
        inner = program.program
        if self._dump is not None:
            self._leave(f"{inner.name}-{inner.fingerprint[:12]}.program.txt", inner.text + "\n")

    def _write(self, kernels: Sequence[Kernel], text: str, name: str) -> None:
        """Leaves a group's kernels and code in the dump folder."""
        stem = f"{name}-{kernel_key(kernels[0])[:12]}"
        self._leave(f"{stem}.kernels.txt", "\n\n".join(map(print_kernel, kernels)) + "\n")
        self._leave(f"{stem}.ll", text)

    def _leave(self, name: str, text: str) -> None:
        if self._dump is None:
            return
        try:
            self._dump.mkdir(parents=True, exist_ok=True)
            (self._dump / _NOT_IN_NAMES.sub("_", name)).write_text(text)
        except OSError as error:
            if not self._dump_failed:
                self._dump_failed = True
                warnings.warn(DumpWarning(str(self._dump), str(error)), stacklevel=2)


class _Counting:
    """A callable that asks for a better one when it has been called a few times."""

    def __init__(
        self, entry: Entry, renew: Callable[[Callable[..., Any]], None], optimise: Callable[[], None]
    ) -> None:
        self._entry, self._renew, self._optimise = entry, renew, optimise
        self._calls = 0

    def call(self, *cells: Any) -> Any:
        """Runs the group."""
        self._calls += 1
        if self._calls == _CALLS_UNTIL_HOT:
            self._renew(self._entry)  # without counting, until the better one is there
            self._optimise()
        return self._entry(*cells)
