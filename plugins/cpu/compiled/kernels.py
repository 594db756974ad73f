"""Kernels become machine code: emitted, linked, cached, and made again with optimisation when they are used a lot."""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from olympus_core.errors import DumpWarning, OlympusError
from olympus_core.program import DeviceProgram, Operation
from olympus_core.toolkit.fusion import KernelStep, estimate
from olympus_core.toolkit.loops import Kernel, kernel_key, print_kernel

from ..contractions.steps import ProductStep, made_step, multiplying_step, packing_steps, product_steps
from ..native.cache import ObjectCache
from ..native.entry import INLINE, PARALLEL, Entry, Step, make_entry
from ..native.linker import OPTIMISED, QUICK, is_cached, link
from ..native.schedule import schedule
from .group import Group, GroupStep
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
        self._started: set[tuple[object, ...]] = set()  # products whose code was begun, roughly

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

    def start_products(self, operations: Iterable[Operation]) -> None:
        """Lets a thread make what a program's products run, which takes LLVM longest, while all the rest is made.

        Args:
            operations: The program's; those that are no products do not count.
        """
        products = []
        for operation in operations:
            if operation.name not in ("dot_general", "convolution"):
                continue
            key = operation.name, *(v.type.dtype for v in (*operation.operands, *operation.results))
            if key in self._started:
                continue
            self._started.add(key)
            step = made_step(operation)
            if step is not None:
                products.append(step.product)
                step.product.write()  # here: two threads that run Python take turns of milliseconds

        def make() -> None:
            for product in products:
                with suppress(OlympusError):  # who needs the code tries again, and hears of it
                    product.multiplying(self._cache)

        if products:
            # The end of the process waits for it: LLVM must not be at work when memory is taken down.
            threading.Thread(target=make, name="olympus-compile", daemon=False).start()

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
        chained: dict[GroupStep, int] = {}
        for step in group.steps:
            if step in group.chains:
                chain = group.chains[step]
                chained = dict(zip(chain.steps, chain.chunks, strict=True))
                products = [s for s in chain.steps if isinstance(s, ProductStep)]
                made, own, kept = packing_steps(group, products, self._cache, level)
                steps += made
                keep.append((chain, kept))
                mode = PARALLEL
            first = step in group.chains
            if isinstance(step, ProductStep):
                if step in chained:
                    multiply, own = multiplying_step(group, step, self._cache)
                    made = [multiply]
                    keep.append((step, step.product.multiplying(self._cache)))
                else:
                    made, own, kept = product_steps(group, step, self._cache, level, bool(steps))
                    keep.append((step, kept))
            elif library is not None:
                kernel, own = self._step(group, step, library[f"k{i}"], work[i] * group.count * _SECONDS, (
                    bool(steps) and not steps[-1].piecewise))
                made = [kernel]
                i += 1
            if step in chained:
                made = [replace(made[0], chunk=chained[step], joined=False, piecewise=not first)]
            steps += made
            mode = max(mode, own)
        return make_entry(steps, group.slots, mode, keep=keep)

    @staticmethod
    def _step(group: Group, step: KernelStep, address: int, seconds: float, follows: bool) -> tuple[Step, int]:
        """One kernel, and how it is best run."""
        loop = step.kernel.loop
        mode, chunk = schedule(loop.extent, seconds, group.count, _GRANULE if loop.kind == "lanes" else 1)
        if loop.kind == "serial":
            chunk = loop.extent
        tables = tuple(group.table(step, device) for device in range(group.count))
        joined = follows and group.count > 1 and chunk == loop.extent
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
