# SPDX-License-Identifier: Apache-2.0
"""Collectives of programs among the devices of one process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.plugin import Device
from olympus_core.program import ArrayType, DeviceGroups, Program, ProgramBuilder, Value

from ...context import Context
from ...errors import Skipped
from ...programs import groups, needs, program_of, random_integers, require_reference, require_refused
from ...requirement import Case, requirement

Groups = Callable[[int], DeviceGroups]
Variant = tuple[ArrayType, Mapping[str, Any]]

# The groupings of a program's devices.
_GROUPS: dict[str, Groups] = {
    "all": lambda count: groups(range(count)),
    "backwards": lambda count: groups(range(count)[::-1]),
    "pairs": lambda count: groups(*((i, i + count // 2) for i in range(count // 2))),
    "alone": lambda count: groups(*((i,) for i in range(count))),
}
_REDUCTIONS = {
    "sum": (dtypes.int32, dtypes.uint32, dtypes.float32), "prod": (dtypes.int32, dtypes.float32),
    "max": (dtypes.bool_, dtypes.int32, dtypes.float32), "min": (dtypes.bool_, dtypes.int32, dtypes.float32),
    "and": (dtypes.bool_, dtypes.int32, dtypes.uint32), "or": (dtypes.bool_, dtypes.int32, dtypes.uint32),
}


def _check(context: Context, grouping: str, name: str, variants: Callable[[int], Sequence[Variant]]) -> None:
    """Runs one collective in all its variants, in one program, over groups of all devices in two orders.

    Args:
        context: The check's context.
        grouping: One of `_GROUPS`.
        name: The operation's.
        variants: For a size of group, the type of the operand and the attributes of each.
    """
    count = len(context.devices)
    if grouping == "pairs" and count % 2:
        count -= 1
    if count < 2:
        raise Skipped("it takes 2 devices in one process")
    group = _GROUPS[grouping](count)
    found = variants(group.size)
    program = _program(name, group, found)
    for devices in _orders(context.devices[:count]):
        # Powers of two and small sums: exact in every type and order.
        inputs = [[_operand(context, t, attributes) for _ in devices] for t, attributes in found]
        require_reference(context, program, inputs, devices, what=f"{name} over groups {group.groups}")


def _program(name: str, group: DeviceGroups, variants: Sequence[Variant]) -> Program:
    """All variants, each on an input of its own, and an input handed through."""

    def body(builder: ProgramBuilder, *inputs: Value) -> Sequence[Value]:
        outputs = []
        for x, (_, attributes) in zip(inputs, variants, strict=True):
            (y,) = builder.emit(ops.OPERATIONS[name], [x], {**attributes, "group": group})
            outputs.append(y)
        return [*outputs, *inputs[:1]]

    return program_of(name, [type for type, _ in variants], body)


def _refusing(name: str, **attributes: Any) -> Callable[..., None]:
    """The check that an operation which is not declared is refused."""

    def refused(context: Context, **_: Any) -> None:
        group = groups(range(len(context.devices)))
        type = ArrayType((12 * group.size, 3), dtypes.float32)
        require_refused(context, _program(name, group, [(type, attributes)]), context.devices)

    return refused


def _operand(context: Context, type: ArrayType, attributes: Mapping[str, Any]) -> np.ndarray:
    if attributes.get("reduction") == "prod":
        return random_integers(context, type, 1, 2)
    return random_integers(context, type, -7, 7)


def _orders(devices: tuple[Device, ...]) -> tuple[tuple[Device, ...], ...]:
    return devices, (devices[-1], *devices[:-1])


def _cases(name: str) -> list[Case]:
    return [Case(grouping, {"grouping": grouping}, needs=("devices:2", *needs(name))) for grouping in _GROUPS]


@requirement(
    "local_collectives/all_reduce",
    "`all_reduce` MUST give every device of a group the reduction of the group's values, for every reduction.",
    why="Sums of gradients and norms are taken over devices.",
    profile="single",
    cases=[
        Case(f"{reduction},{grouping}", {"reduction": reduction, "grouping": grouping},
             needs=("devices:2", *needs("all_reduce")))
        for reduction in _REDUCTIONS for grouping in _GROUPS
    ],
)
def all_reduce(context: Context, reduction: str, grouping: str) -> None:
    """Several element types and shapes."""
    shapes = ((), (0,), (7,), (33, 65))
    _check(context, grouping, "all_reduce", lambda size: [
        (ArrayType(shape, dtype), {"reduction": reduction}) for dtype in _REDUCTIONS[reduction] for shape in shapes])


@requirement(
    "local_collectives/special_values",
    "`all_reduce` MUST carry a NaN of any device into a sum, product, maximum or minimum, and infinities as arithmetic "
    "has them.",
    why="A diverged device that a maximum hides lets a training go on with garbage.",
    profile="single",
    cases=[Case(name, {"reduction": name}, needs=("devices:2", *needs("all_reduce")))
           for name in ("sum", "prod", "max", "min")],
)
def special_values(context: Context, reduction: str) -> None:
    """NaN of the first and of the last device, infinities of one sign and of both, the largest numbers."""
    context.need_devices(2)
    count = len(context.devices)
    values = [np.full(10, i + 1, np.float32) for i in range(count)]
    values[0][[0, 2, 4, 7]] = np.nan, np.inf, -np.inf, np.inf
    values[-1][[1, 3, 7]] = np.nan, -np.inf, -np.inf
    values[0][5] = values[0][8] = values[-1][8] = np.finfo(np.float32).max
    values[-1][6] = -np.finfo(np.float32).max
    variant = (ArrayType((10,), dtypes.float32), {"reduction": reduction})
    program = _program("all_reduce", groups(range(count)), [variant])
    require_reference(context, program, [values], context.devices, what=f"all_reduce {reduction} of special values")


@requirement(
    "local_collectives/all_gather",
    "`all_gather` MUST concatenate the values of a group along a dimension, in the group's order.",
    why="Split arrays are made whole.",
    profile="single",
    cases=_cases("all_gather"),
)
def all_gather(context: Context, grouping: str) -> None:
    """Along each dimension."""
    _check(context, grouping, "all_gather", lambda size: [
        (ArrayType(shape, dtype), {"dimension": d})
        for shape in ((3,), (2, 5, 3), (0, 4)) for d in range(len(shape)) for dtype in (dtypes.int32, dtypes.bool_)])


@requirement(
    "local_collectives/reduce_scatter",
    "`reduce_scatter` MUST give member i of a group part i of the reduction of the group's values.",
    why="Reduced arrays are kept split.",
    profile="single",
    cases=_cases("reduce_scatter"),
    refusal=_refusing("reduce_scatter", dimension=0, reduction="sum"),
)
def reduce_scatter(context: Context, grouping: str) -> None:
    """Along each dimension, for sums and maxima."""
    _check(context, grouping, "reduce_scatter", lambda size: [
        (ArrayType(shape, dtypes.float32), {"dimension": d, "reduction": reduction})
        for shape in ((3 * size,), (size, 2 * size, 3), (size, 0)) for d in range(2 if len(shape) > 1 else 1)
        for reduction in ("sum", "max")])


@requirement(
    "local_collectives/all_to_all",
    "`all_to_all` MUST give member i of a group part i of every member's value, concatenated in the group's order.",
    why="Arrays change the dimension along which they are split.",
    profile="single",
    cases=_cases("all_to_all"),
    refusal=_refusing("all_to_all", split_dimension=0, concat_dimension=1),
)
def all_to_all(context: Context, grouping: str) -> None:
    """Between all dimensions."""
    _check(context, grouping, "all_to_all", lambda size: [
        (ArrayType((2 * size, size, 3 * size), dtypes.int32), {"split_dimension": a, "concat_dimension": b})
        for a in range(3) for b in range(3)])


def _pairs(size: int) -> list[tuple[tuple[int, int], ...]]:
    ring = tuple((i, (i + 1) % size) for i in range(size))
    return [ring, ring[:-1], tuple((t, s) for s, t in ring[:1]), ((0, 0),), ()]


@requirement(
    "local_collectives/permute",
    "`permute` MUST bring each target its source's value, and zeros to who is no target.",
    why="Halos and pipelines pass values on.",
    profile="single",
    cases=_cases("permute"),
)
def permute(context: Context, grouping: str) -> None:
    """A ring, parts of it, one device to itself, nobody at all."""
    _check(context, grouping, "permute", lambda size: [
        (ArrayType(shape, dtypes.float32), {"pairs": pairs}) for pairs in _pairs(size) for shape in ((), (3, 5))])


@requirement(
    "local_collectives/broadcast",
    "`broadcast` MUST give every device of a group the source's value.",
    why="One device decides for all.",
    profile="single",
    cases=_cases("broadcast"),
    refusal=_refusing("broadcast", source=0),
)
def broadcast(context: Context, grouping: str) -> None:
    """From each member."""
    _check(context, grouping, "broadcast", lambda size: [
        (ArrayType(shape, dtypes.int32), {"source": source}) for source in range(size) for shape in ((), (3, 5))])


@requirement(
    "local_collectives/axis_index",
    "`axis_index` MUST give each device its position in its group.",
    why="Programs compute from it which part of an array they hold.",
    profile="single",
    cases=_cases("axis_index"),
)
def axis_index(context: Context, grouping: str) -> None:
    """Alone, and as an operand."""
    count = len(context.devices) - (len(context.devices) % 2 if grouping == "pairs" else 0)
    group = _GROUPS[grouping](count)

    def body(builder: ProgramBuilder, x: Value) -> Sequence[Value]:
        (index,) = builder.emit(ops.axis_index, [], {"group": group})
        return [index, *builder.emit(ops.add, [x, index])]

    program = program_of("axis_index", [ArrayType((), dtypes.int32)], body)
    for devices in _orders(context.devices[:count]):
        require_reference(context, program, devices=devices, what=f"axis_index in groups {group.groups}")
