"""Kernels become machine code: emitted, linked, cached, and made again with optimisation when they are used a lot."""

from __future__ import annotations

import queue
import re
import threading
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

_SECONDS = 0.25e-9  # what an addition takes in one thread, over all kinds of kernels
_CALLS_UNTIL_HOT = 3
_NOT_IN_NAMES = re.compile(r"[^\w.,()-]+")
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

        text = emit_module([(kernel, f"k{i}") for i, kernel in enumerate(kernels)], Target.host())
        if self._dump is not None:
            self._write(kernels, text, name)
        return text

    def _is_cached(self, text: str) -> bool:
        return self._cache is not None and is_cached(text, OPTIMISED, self._cache)

    def _linked(self, group: Group, text: str, work: Sequence[float], level: int) -> Entry:
        library = link(text, [f"k{i}" for i in range(len(work))], level=level, cache=self._cache) if work else None
        steps, mode, i = [], INLINE, 0
        keep: list[Any] = [library]
        for step in group.steps:
            if isinstance(step, ProductStep):
                more, own, kept = product_steps(group, step, self._cache, bool(steps))
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
        # Whole cache lines for everybody: pieces of a lanes loop are multiples of 64 elements.
        mode, chunk = schedule(loop.extent, seconds, group.count, 64 if loop.kind == "lanes" else 1)
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


class Optimiser:
    """A thread that compiles again what is hot; it starts with the first job and ends when there is none."""

    _LINGER = 1.0  # seconds without a job

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._is_running = self._is_closed = False

    def submit(self, job: Callable[[], None]) -> None:
        """Adds a job."""
        with self._lock:
            if self._is_closed:
                return
            self._jobs.put(job)
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._serve, name="olympus-optimise", daemon=True).start()

    def close(self) -> None:
        """Forgets the jobs that have not begun."""
        with self._lock:
            self._is_closed = True

    def _serve(self) -> None:
        while True:
            try:
                job = self._jobs.get(timeout=self._LINGER)
            except queue.Empty:
                with self._lock:
                    if self._jobs.empty():
                        self._is_running = False
                        return
                continue
            if not self._is_closed:
                job()
