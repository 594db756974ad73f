# SPDX-License-Identifier: Apache-2.0
"""`KernelStore`: compiles kernels in two tiers, with a disk cache.

Tiered compilation: a group first runs baseline code, compiled without optimisation; optimised code replaces it in the
background after a few calls. Where one execution of baseline code would lose more time than LLVM needs to optimise it,
optimised code comes first (`docs/decisions/0100`).
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Any, NamedTuple

from olympus_core.errors import OlympusError, ThreadStartError
from olympus_core.program import Operation
from olympus_core.toolkit import start_thread
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.fusion import KernelStep
from olympus_core.toolkit.loops import Kernel, print_kernel

from ..contractions.gemm_steps import CONTRACTIONS, GemmStep, made_step
from ..native.cache import ObjectCache
from ..native.entry import Entry, kept_by, scratch_of
from ..native.linker import BASELINE, OPTIMISED, Recipe, is_cached, link
from ..native.routines import RoutineStep
from ..native.schedule import GRANULE
from .group import KernelGroup
from .linking import Linker, baseline_loss, groups_of
from .optimiser import Optimiser
from .stored_calls import Memory, restored_call
from .switch_interval import short_switch_interval

_CALLS_UNTIL_HOT = 3
# Seconds that LLVM takes longer for optimised code: for each kernel, and for each character of its text.
_KERNEL_SECONDS, _CHARACTER_SECONDS = 3e-3, 7e-6

# Memory of a library besides its code (pages, LLVM's records, a share of its linker), and of a native call's plan.
_LIBRARY_BYTES, _ENTRY_BYTES = 32_768, 1_024


class _Code(NamedTuple):
    """The module of some kernels at each level, the name of each one's function, and LLVM's seconds to optimise it."""

    recipes: dict[int, Recipe]
    functions: dict[int, str]  # by the kernel's identity
    seconds: float


class KernelStore:
    """Compiled kernels of one client.

    Args:
        cache: Object code on disk; None for none.
        dump: Writes texts to the dump folder.
    """

    def __init__(self, cache: ObjectCache | None, dump: Dump) -> None:
        self._cache, self.dump = cache, dump
        self._optimiser = Optimiser()
        self._begun: set[tuple[object, ...]] = set()  # GEMMs whose compilation was started, by operation and types

    def entry(
        self, group: KernelGroup, name: str, renew: Callable[[Callable[..., Any]], None],
        on_stored: Callable[[bytes], None] | None = None, is_hot: bool = False,
    ) -> Callable[..., Any]:
        """The native call of a group; an optimised one is passed to `renew` once the group is hot.

        Args:
            group: The group.
            name: What it is, for people.
            renew: Takes the optimised call.
            on_stored: Takes each call as data for later processes.
            is_hot: Whether it is to be optimised at once; then this is the optimiser's thread.
        """
        if is_hot:
            return self._entry(group, name, renew, on_stored, OPTIMISED)
        with self._optimiser.foreground():
            return self._entry(group, name, renew, on_stored)

    def stored_entry(
        self, data: bytes, again: Callable[[], Callable[..., Any]], renew: Callable[[Callable[..., Any]], None],
        lines: Mapping[str, str],
    ) -> Callable[..., Any]:
        """The native call of such data.

        Args:
            data: What `entry` told of it.
            again: Makes an optimised call, from a new plan.
            renew: Takes that one, once the call is hot.
            lines: See `restored_call`.

        Raises:
            UnfitData: When it does not fit, or its object code is gone.
        """
        with self._optimiser.foreground():
            entry, is_optimised = restored_call(data, self._cache, lines)
        if is_optimised:
            return entry
        return _CallCounter(entry, renew, lambda: self._optimiser.submit(lambda: renew(again()))).call

    def _entry(
        self, group: KernelGroup, name: str, renew: Callable[[Callable[..., Any]], None],
        on_stored: Callable[[bytes], None] | None, least: int = BASELINE,
    ) -> Callable[..., Any]:
        every = [(step, iterations) for inner, iterations in groups_of(group) for step in inner.steps]
        kernels = [step.kernel for step, _ in every if isinstance(step, KernelStep)]
        code = self._code(kernels, name)
        if least == OPTIMISED:
            return self._linked(group, code, OPTIMISED, OPTIMISED, on_stored)
        is_long = baseline_loss(group) >= code.seconds
        level = OPTIMISED if is_long or self._is_cached(code.recipes[OPTIMISED]) else BASELINE
        called = [step.gemm.first_tier(self._cache) for step, _ in every if isinstance(step, GemmStep)]
        called += [step.routine.first_tier(count) for step, count in every if isinstance(step, RoutineStep)]
        lowest = min(called, default=OPTIMISED)
        if level == lowest == OPTIMISED:
            return self._linked(group, code, OPTIMISED, OPTIMISED, on_stored)
        baseline = self._linked(group, code, level, lowest, on_stored)

        def replace() -> None:
            renew(self._linked(group, code, OPTIMISED, OPTIMISED, on_stored))

        return _CallCounter(baseline, renew, lambda: self._optimiser.submit(replace)).call

    @staticmethod
    def code_bytes(made: Callable[..., Any]) -> int:
        """The approximate memory of a group's code, without the code of GEMMs, which groups share."""
        counting = getattr(made, "__self__", None)
        entry = counting.entry if isinstance(counting, _CallCounter) else made
        library = kept_by(entry)[0]
        return _LIBRARY_BYTES + len(library.object_code) if library is not None else _ENTRY_BYTES

    @staticmethod
    def scratch_bytes(made: Callable[..., Any]) -> int:
        """The memory of a call's temporaries."""
        counting = getattr(made, "__self__", None)
        return scratch_of(counting.entry if isinstance(counting, _CallCounter) else made)

    def start_gemms(self, operations: Iterable[Operation]) -> None:
        """Compiles the code of a program's GEMMs, which takes LLVM longest, in a thread.

        Args:
            operations: The program's operations; others than contractions are ignored.
        """
        gemms = []
        for operation in operations:
            if operation.name not in CONTRACTIONS:
                continue
            key = operation.name, *(v.type.dtype for v in (*operation.operands, *operation.results))
            if key in self._begun:
                continue
            self._begun.add(key)
            step = made_step(operation)
            if step is not None:
                gemms.append(step.gemm)
        if not gemms:
            return
        jobs: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()

        def make() -> None:
            with short_switch_interval():
                while (job := jobs.get()) is not None:
                    with suppress(OlympusError):  # whoever needs the code compiles it again, and gets the error
                        job()

        try:
            # Not a daemon: LLVM must not run while the process is torn down.
            start_thread(make, "olympus-compile", "compiling in the background", daemon=False)
        except ThreadStartError:  # whoever needs the code compiles it
            return
        try:
            for gemm in gemms:
                for job in gemm.compile_jobs(self._cache):
                    jobs.put(job)
        finally:
            jobs.put(None)

    def close(self) -> None:
        """Ends the optimiser."""
        self._optimiser.close()

    def _code(self, kernels: Sequence[Kernel], name: str) -> _Code:
        """The recipe of a module of kernels; equal kernels, such as those of a model's layers, are one function."""
        texts = [print_kernel(kernel) for kernel in kernels]
        each = {text: (kernel, f"k{i}") for i, (text, kernel) in enumerate(zip(texts, kernels, strict=True))}

        @cache
        def write(level: int) -> str:
            from ..codegen.emit import emit_module
            from ..codegen.target import Target

            return emit_module(each.values(), Target.host(), GRANULE, is_short=level == BASELINE)

        if self.dump.is_wanted and kernels:
            self.dump.kernels(name, kernels, write(OPTIMISED), "ll")
        description = "\n".join([f"kernels {GRANULE}", *(f"{f} {text}" for text, (_, f) in each.items())])
        recipes = {level: Recipe(description, partial(write, level)) for level in (BASELINE, OPTIMISED)}
        seconds = len(each) * _KERNEL_SECONDS + sum(map(len, each)) * _CHARACTER_SECONDS
        return _Code(recipes, {id(kernel): each[text][1] for text, kernel in zip(texts, kernels, strict=True)}, seconds)

    def _is_cached(self, recipe: Recipe) -> bool:
        return is_cached(recipe, OPTIMISED, self._cache)

    def _linked(
        self, group: KernelGroup, code: _Code, level: int, called_level: int,
        on_stored: Callable[[bytes], None] | None = None,
    ) -> Entry:
        functions = code.functions
        library = None
        if functions:
            library = link(code.recipes[level], {*functions.values()}, level=level, cache=self._cache)
        addresses = {kernel: library[name] for kernel, name in functions.items()} if library is not None else {}
        if on_stored is None:
            return Linker(addresses, library, self._cache, called_level).entry(group)
        memory = Memory(level == called_level == OPTIMISED)
        if library is not None:
            memory.add_library(library)
        entry, data = Linker(addresses, library, self._cache, called_level, memory).entry_and_data(group)
        if data is not None:
            on_stored(data)
        return entry


class _CallCounter:
    """Counts calls of baseline code, and requests optimised code when it is hot."""

    def __init__(
        self, entry: Entry, renew: Callable[[Callable[..., Any]], None], optimise: Callable[[], None]
    ) -> None:
        self.entry, self._renew, self._optimise = entry, renew, optimise
        self._calls = 0

    def call(self, *allocations: Any) -> Any:
        """Runs the group."""
        self._calls += 1
        if self._calls == _CALLS_UNTIL_HOT:
            self._renew(self.entry)  # without counting, until the optimised one is there
            self._optimise()
        return self.entry(*allocations)
