# SPDX-License-Identifier: Apache-2.0
"""Which outputs may be written over which inputs, and steps that nobody needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from olympus_core.program import Value

from ..loops import Kernel, Load, Loop, Statement, Store
from .steps import KernelStep, OperationStep, Step, ViewStep


def reusable(steps: Sequence[Step], outputs: Sequence[Value]) -> tuple[Step, ...]:
    """The steps without unused constants, and with the pairs of buffers that may be one."""
    sources: dict[Value, Value] = {}  # whose buffer a value lies in
    constants: set[Value] = set()
    for step in steps:
        if isinstance(step, ViewStep):
            sources[step.result] = sources.get(step.source, step.source)
        elif isinstance(step, OperationStep) and step.operation.name == "constant":
            constants.update(step.operation.results)
    alive = {sources.get(v, v) for v in outputs}
    kept: list[Step] = []
    for step in reversed(steps):
        if isinstance(step, KernelStep):
            owners = [sources.get(v, v) for v in step.inputs]
            once = {v for v in owners if owners.count(v) == 1} - alive - constants
            possible = _pairs(step) if step.updating is None else step.reusable
            pairs = tuple((i, o) for i, o in possible if owners[i] in once)
            updating = step.updating if pairs or step.filling is not None else None
            kept.append(replace(step, reusable=pairs, updating=updating))
            alive.update(owners)
            continue
        results = step.operation.results if isinstance(step, OperationStep) else (step.result,)
        operands = step.operation.operands if isinstance(step, OperationStep) else (step.source,)
        is_constant = isinstance(step, OperationStep) and step.operation.name == "constant"
        if not is_constant or not alive.isdisjoint(results):
            kept.append(step)
            alive.update(sources.get(v, v) for v in operands)
    return tuple(reversed(kept))


Access = tuple["Load | Store", tuple[Loop, ...]]


def is_read_before(updating: Kernel, source: int, is_apart: bool) -> bool:
    """Whether updates read an input only where that is not written yet, if the output lies over it.

    Args:
        updating: The kernel of the updates.
        source: The input's number.
        is_apart: Whether no two updates have the same position.
    """
    accesses: list[Access] = []
    _collect((updating.loop,), (), accesses)
    parameter = updating.parameters[source]
    reads = [(a, loops) for a, loops in accesses if a.parameter is parameter]
    ((store, around),) = [(a, loops) for a, loops in accesses if isinstance(a, Store)]
    if all(loop.extent == 1 for loop in around):
        return True  # one update, after all loads
    return is_apart and all(
        a.at.constant == store.at.constant and {*a.at.terms} == {*store.at.terms} and {*a.dynamic} == {*store.dynamic}
        for a, _ in reads) or not reads


def _pairs(step: KernelStep) -> Iterable[tuple[int, int]]:
    """Inputs and outputs of one size where every element is read before it is written over."""
    accesses: list[Access] = []
    _collect((step.kernel.loop,), (), accesses)
    arguments, taken = step.kernel.arguments, set[int]()
    for i, source in enumerate(arguments[: len(step.inputs)]):
        for o, target in enumerate(arguments[len(step.inputs):]):
            same = source.size == target.size and source.dtype.itemsize == target.dtype.itemsize
            if same and o not in taken and _is_safe([a for a in accesses if a[0].parameter in (source, target)]):
                taken.add(o)
                yield i, o
                break


def _is_safe(accesses: Sequence[Access]) -> bool:
    """Whether reads of an input come before writes of an output, iteration by iteration of the loops they share."""
    first = next((k for k, (a, _) in enumerate(accesses) if isinstance(a, Store)), None)
    if first is None or any(a.dynamic or a.parameter.role == "input" for a, _ in accesses[first:]):
        return False
    store, loops = accesses[first]
    for read, around in accesses[:first]:
        shared = [loop for loop in loops if loop in around]
        inner = [[at.stride(loop.index) for loop in nest if loop not in shared]
                 for at, nest in ((store.at, loops), (read.at, around))]
        # A loop that the addresses do not follow would read what its first iteration has written.
        aligned = all(store.at.stride(loop.index) == read.at.stride(loop.index) and
                      (store.at.stride(loop.index) or loop.extent == 1) for loop in shared)
        if read.dynamic or store.at.constant != read.at.constant or not aligned or inner[0] != inner[1]:
            return False
        if [n.extent for n in loops if n not in shared] != [n.extent for n in around if n not in shared]:
            return False
    return True


def _collect(statements: Iterable[Statement], loops: tuple[Loop, ...], into: list[Access]) -> None:
    for statement in statements:
        if isinstance(statement, Loop):
            _collect(statement.body, (*loops, statement), into)
        elif isinstance(statement, (Load, Store)):
            into.append((statement, loops))
