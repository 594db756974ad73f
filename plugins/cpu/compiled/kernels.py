# SPDX-License-Identifier: Apache-2.0
"""`KernelStore`: compiles kernels in two tiers, with a disk cache.

Tiered compilation: a group first runs baseline code, compiled without optimisation; optimised code replaces it in the
background after a few calls. Where one execution of baseline code would lose more time than LLVM needs to optimise it,
optimised code comes first (`docs/decisions/0100`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from olympus_core.program import Operation
from olympus_core.toolkit.dumps import Dump
from olympus_core.toolkit.fusion import KernelStep
from olympus_core.toolkit.loops import Kernel, print_kernel

from ..contractions.gemm import Gemm
from ..contractions.gemm_steps import CONTRACTIONS, GemmStep, made_step
from ..native.cache import ObjectCache
from ..native.entry import Entry, kept_by, scratch_of
from ..native.linker import BASELINE, OPTIMISED, Library, Recipe, is_cached, link
from ..native.pool import processors
from ..native.routines import Routine, RoutineStep
from ..native.schedule import GRANULE
from .compile_thread import Job, compile_thread
from .group import KernelGroup
from .linking import Linker, baseline_loss, groups_of
from .optimiser import CallCounter, Optimiser
from .stored_calls import Memory, restored_call

# Seconds that LLVM takes longer for optimised code: for each kernel, and for each character of its text.
_KERNEL_SECONDS, _CHARACTER_SECONDS = 3e-3, 7e-6

# Characters of kernels that are a module of their own, and the most modules of one group: LLVM compiles one while the
# next is written, on another processor.
_MODULE_CHARACTERS, _MOST_MODULES = 3_000, 6

# Memory of a library besides its code (pages, LLVM's records, a share of its linker), and of a native call's plan.
_LIBRARY_BYTES, _ENTRY_BYTES = 32_768, 1_024


_Named = tuple[Kernel, str]  # with the name of its function


class _Module(NamedTuple):
    """Some kernels as one module: its recipe at each level, and its functions' names."""

    recipes: Mapping[int, Recipe]
    names: frozenset[str]


class _Code(NamedTuple):
    """The modules of some kernels, the name of each one's function, and LLVM's seconds to optimise them."""

    modules: Sequence[_Module]
    functions: Mapping[int, str]  # by the kernel's identity
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
        return CallCounter(entry, renew, lambda: self._optimiser.submit(lambda: renew(again()))).call

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
        level = OPTIMISED if is_long or all(self._is_cached(m, OPTIMISED) for m in code.modules) else BASELINE
        called = [step.gemm.first_tier(self._cache) for step, _ in every if isinstance(step, GemmStep)]
        called += [step.routine.first_tier(count) for step, count in every if isinstance(step, RoutineStep)]
        lowest = min(called, default=OPTIMISED)
        first = self._linked(group, code, level, lowest, on_stored, is_awaited=True)
        if level == lowest == OPTIMISED:
            return first

        def replace() -> None:
            renew(self._linked(group, code, OPTIMISED, OPTIMISED, on_stored))

        return CallCounter(first, renew, lambda: self._optimiser.submit(replace)).call

    @staticmethod
    def code_bytes(made: Callable[..., Any]) -> int:
        """The approximate memory of a group's code, without the code of GEMMs, which groups share."""
        counting = getattr(made, "__self__", None)
        entry = counting.entry if isinstance(counting, CallCounter) else made
        libraries: Sequence[Library] = kept_by(entry)[0]
        return sum(_LIBRARY_BYTES + len(library.object_code) for library in libraries) or _ENTRY_BYTES

    @staticmethod
    def scratch_bytes(made: Callable[..., Any]) -> int:
        """The memory of a call's temporaries."""
        counting = getattr(made, "__self__", None)
        return scratch_of(counting.entry if isinstance(counting, CallCounter) else made)

    def start_calls(
        self, operations: Iterable[Operation], routine_of: Callable[[Operation], Routine | None]
    ) -> None:
        """Compiles what a program's kernels stand beside, products and routines, in a thread.

        Args:
            operations: The program's operations; others than those are ignored.
            routine_of: The routine of an operation.
        """
        started: list[Gemm | Routine] = []
        for operation in operations:
            if operation.name in CONTRACTIONS:
                key = operation.name, *(v.type.dtype for v in (*operation.operands, *operation.results))
                if key not in self._begun:
                    self._begun.add(key)
                    step = made_step(operation)
                    started += [] if step is None else [step.gemm]
            elif (routine := routine_of(operation)) is not None and routine.is_to_be_made:
                started.append(routine)
        if not started:
            return
        with compile_thread() as start:
            for one in started:
                for job in one.compile_jobs(self._cache):
                    start(job)

    def close(self) -> None:
        """Ends the optimiser."""
        self._optimiser.close()

    def _code(self, kernels: Sequence[Kernel], name: str) -> _Code:
        """The recipe of a module of kernels; equal kernels, such as those of a model's layers, are one function."""
        different = {(kernel.name, id(kernel.loop)): kernel for kernel in kernels}  # equal ones share their loops
        printed = {key: print_kernel(kernel) for key, kernel in different.items()}
        texts = [printed[kernel.name, id(kernel.loop)] for kernel in kernels]
        each = {text: (kernel, f"k{i}") for i, (text, kernel) in enumerate(zip(texts, kernels, strict=True))}

        if self.dump.is_wanted and kernels:
            self.dump.kernels(name, kernels, _text(each.values(), OPTIMISED), "ll")
        size = sum(map(len, each))
        seconds = len(each) * _KERNEL_SECONDS + size * _CHARACTER_SECONDS
        most = max(_MODULE_CHARACTERS, size / _MOST_MODULES)
        return _Code([_module(part) for part in _parts(list(each.items()), most)],
                     {id(kernel): each[text][1] for text, kernel in zip(texts, kernels, strict=True)}, seconds)

    def _is_cached(self, module: _Module, level: int) -> bool:
        return is_cached(module.recipes[level], level, self._cache)

    def _linked(
        self, group: KernelGroup, code: _Code, level: int, called_level: int,
        on_stored: Callable[[bytes], None] | None = None, is_awaited: bool = False,
    ) -> Entry:
        libraries = self._libraries(code.modules, level, is_awaited)
        found = {name: library[name] for module, library in zip(code.modules, libraries, strict=True)
                 for name in module.names}
        addresses = {kernel: found[name] for kernel, name in code.functions.items()}
        if on_stored is None:
            return Linker(addresses, libraries, self._cache, called_level).entry(group)
        memory = Memory(level == called_level == OPTIMISED, libraries)
        entry, data = Linker(addresses, libraries, self._cache, called_level, memory).entry_and_data(group)
        if data is not None:
            on_stored(data)
        return entry

    def _libraries(self, modules: Sequence[_Module], level: int, is_awaited: bool) -> Sequence[Library]:
        """The code of modules; where somebody waits, a thread compiles one while the next is written."""
        jobs = [Job(partial(link, m.recipes[level], m.names, level=level, cache=self._cache)) for m in modules]
        if is_awaited and len(jobs) > 1 and processors() > 1:
            with compile_thread() as start:
                for module, job in zip(modules, jobs, strict=True):
                    if not self._is_cached(module, level):
                        module.recipes[level].write()  # here: two threads that run Python would alternate
                        start(job)
        # From the last on, since the thread begins with the first.
        return [job.result() for job in reversed(jobs)][::-1]


def _parts(items: Sequence[tuple[str, _Named]], most: float) -> Iterator[Sequence[tuple[str, _Named]]]:
    """Kernels and their texts, cut after so many characters of text."""
    part, size = list[tuple[str, _Named]](), 0
    for item in items:
        part.append(item)
        size += len(item[0])
        if size >= most:
            yield part
            part, size = [], 0
    if part:
        yield part


def _module(part: Sequence[tuple[str, _Named]]) -> _Module:
    named = [one for _, one in part]

    @cache
    def write(level: int) -> str:
        return _text(named, level)

    description = "\n".join([f"kernels {GRANULE}", *(f"{name} {text}" for text, (_, name) in part)])
    recipes = {level: Recipe(description, partial(write, level)) for level in (BASELINE, OPTIMISED)}
    return _Module(recipes, frozenset(name for _, name in named))


def _text(kernels: Iterable[_Named], level: int) -> str:
    from ..codegen.emit.module import emit_module
    from ..codegen.target import Target

    return emit_module(kernels, Target.host(), GRANULE, is_short=level == BASELINE)
