# SPDX-License-Identifier: Apache-2.0
"""Programs that the toolkit's tests run on every kind of executable, and devices to run them on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.plugin import Device, DeviceDescription
from olympus_core.program import ArrayType, DeviceGroups, DeviceProgram, Program, ProgramBuilder

FLOAT = np.dtype(np.float32)
INT = np.dtype(np.int32)


def fake_devices(count: int, processes: Sequence[int] | None = None, here: int = 0) -> tuple[Device, ...]:
    """Devices of one process, or of the processes that are listed, seen from process `here`."""
    owners = [0] * count if processes is None else list(processes)
    return tuple(
        Device(DeviceDescription(i, "fake", f"FAKE_{i}", f"FakeDevice(id={i})"), platform="fake",
               process_index=p, local_index=owners[:i].count(p), is_addressable=p == here)
        for i, p in enumerate(owners)
    )


def scalar(builder: ProgramBuilder, value: Any, dtype: Any = FLOAT) -> Any:
    """A constant without dimensions."""
    return builder.emit(ops.constant, [], {"value": np.asarray(value, dtype)})[0]


def sum_until(limit: float, with_collective: bool, groups: Sequence[Sequence[int]]) -> Program:
    """``while sum(x) < limit: x = x + x``, the sum taken over the group where asked."""

    def reduced(builder: ProgramBuilder, x: Any) -> Any:
        (total,) = builder.emit(ops.reduce_sum, [x], {"dimensions": (0,)})
        if with_collective:
            group = DeviceGroups(tuple(map(tuple, groups)))
            (total,) = builder.emit(ops.all_reduce, [total], {"reduction": "sum", "group": group})
        return total

    kind = ArrayType((3,), FLOAT)
    condition = ProgramBuilder("condition")
    x = condition.input(kind)
    going = condition.emit(ops.lt, [reduced(condition, x), scalar(condition, limit)])
    body = ProgramBuilder("body")
    x = body.input(kind)
    doubled = body.emit(ops.add, [x, x])
    outer = ProgramBuilder("sum_until")
    x = outer.input(kind)
    results = outer.emit(ops.while_, [x], {"constants": 0}, [condition.finish(going), body.finish(doubled)])
    return outer.finish(results)


def branches(groups: Sequence[Sequence[int]], with_collective: bool) -> Program:
    """``cond(axis_index + shift, x + x, x * x, all_reduce(x) or -x)``."""
    kind, group = ArrayType((3,), FLOAT), DeviceGroups(tuple(map(tuple, groups)))

    def branch(emit: Callable[[ProgramBuilder, Any], Any]) -> Program:
        builder = ProgramBuilder("branch")
        return builder.finish(emit(builder, builder.input(kind)))

    outer = ProgramBuilder("branches")
    shift, x = outer.input(ArrayType((), INT)), outer.input(kind)
    (place,) = outer.emit(ops.axis_index, [], {"group": group})
    (index,) = outer.emit(ops.add, [place, shift])
    last = (lambda b, v: b.emit(ops.all_reduce, [v], {"reduction": "sum", "group": group})) if with_collective else (
        lambda b, v: b.emit(ops.neg, [v]))
    regions = [
        branch(lambda b, v: b.emit(ops.add, [v, v])), branch(lambda b, v: b.emit(ops.mul, [v, v])), branch(last),
    ]
    return outer.finish(outer.emit(ops.cond, [index, x], {}, regions))


def running_sum(groups: Sequence[Sequence[int]], with_collective: bool, reverse: bool) -> Program:
    """A scan with a constant, a carry and a sequence; the carry is reduced over the group where asked."""
    group = DeviceGroups(tuple(map(tuple, groups)))
    body = ProgramBuilder("body")
    factor, carry, slice_ = (body.input(ArrayType(s, FLOAT)) for s in ((), (2,), (2,)))
    (spread,) = body.emit(ops.broadcast_in_dim, [factor], {"shape": (2,), "dimensions": ()})
    (scaled,) = body.emit(ops.mul, [slice_, spread])
    (total,) = body.emit(ops.add, [carry, scaled])
    if with_collective:
        (total,) = body.emit(ops.all_reduce, [total], {"reduction": "max", "group": group})
    outer = ProgramBuilder("running_sum")
    inputs = [outer.input(ArrayType(s, FLOAT)) for s in ((), (2,), (4, 2))]
    attributes = {"constants": 1, "carry": 1, "length": 4, "reverse": reverse}
    results = outer.emit(ops.scan, inputs, attributes, [body.finish([total, scaled])])
    return outer.finish(results)


def collective(name: str, shape: Sequence[int], groups: Sequence[Sequence[int]], dtype: Any = FLOAT,
               **attributes: Any) -> Program:
    """One collective between two element-wise operations, so that it stands between stretches."""
    builder = ProgramBuilder(name)
    x = builder.input(ArrayType(shape, dtype))
    (y,) = builder.emit(ops.add, [x, x])
    attributes["group"] = DeviceGroups(tuple(map(tuple, groups)))
    (y,) = builder.emit(ops.OPERATIONS[name], [y], attributes)
    (z,) = builder.emit(ops.neg, [y])
    return builder.finish([z, y, x])


def device_program(program: Program, devices: Sequence[Device]) -> DeviceProgram:
    """The program on these devices."""
    return DeviceProgram(program, tuple(devices))
