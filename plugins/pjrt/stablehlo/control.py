# SPDX-License-Identifier: Apache-2.0
"""Control flow. Regions are emitted inline; values that they use become their arguments, except in branches."""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError, OlympusInternalError
from olympus_core.program import ArrayType, Operation, Program

from .indexing import int32_index
from .literals import integers
from .table import emits
from .writer import Body, Name, Writer

Names = Sequence[Name]
_COUNT = ArrayType((), dtypes.int32)


@emits("cond")
def _cond(w: Writer, operation: Operation, xs: Names) -> Names:
    index, arguments = xs[0], xs[1:]
    if len(operation.regions) == 1:
        return w.inline(operation.regions[0], arguments)
    # In StableHLO an index out of range selects the last branch.
    index = w.same("maximum", index, w.like(0, index))
    types = [v.type for v in operation.results]

    def branch(program: Program) -> Body:
        return lambda inner, _: inner.inline(program, arguments)

    return w.write("case", [index], types, "", [w.region([], branch(region)) for region in operation.regions])


@emits("while")
def _while(w: Writer, operation: Operation, xs: Names) -> Names:
    constants = operation.attributes["constants"]
    condition, body = operation.regions
    types = [x.type for x in xs]
    regions = [
        w.region(types, lambda inner, values: inner.inline(condition, values)),
        w.region(types, lambda inner, values: [*values[:constants], *inner.inline(body, values)]),
    ]
    return w.write("while", xs, types, "", regions)[constants:]


@emits("scan")
def _scan(w: Writer, operation: Operation, xs: Names) -> Names:
    attributes, (body,) = operation.attributes, operation.regions
    length, carried = attributes["length"], attributes["carry"]
    first = attributes["constants"] + carried
    stacks = [w.splat(0, v.type) for v in operation.results[carried:]]
    if not length:
        return [*xs[attributes["constants"]:first], *stacks]
    values = [w.scalar(0, dtypes.int32), *xs, *stacks]
    types = [v.type for v in values]

    def goes_on(inner: Writer, state: Names) -> Names:
        return [inner.compare("LT", state[0], inner.scalar(length, dtypes.int32))]

    def iteration(inner: Writer, state: Names) -> Names:
        count, operands, made = state[0], state[1 : 1 + len(xs)], state[1 + len(xs) :]
        where = count
        if attributes["reverse"]:
            where = inner.same("subtract", inner.scalar(length - 1, dtypes.int32), count)
        slices = [_slice_at(inner, x, where) for x in operands[first:]]
        outputs = inner.inline(body, [*operands[:first], *slices])
        updated = [_put_at(inner, stack, y, where) for stack, y in zip(made, outputs[carried:], strict=True)]
        following = inner.same("add", count, inner.scalar(1, dtypes.int32))
        constants = operands[: first - carried]
        return [following, *constants, *outputs[:carried], *operands[first:], *updated]

    results = w.write("while", values, types, "", [w.region(types, goes_on), w.region(types, iteration)])[1:]
    return [*results[attributes["constants"]:first], *results[len(xs):]]


def _starts(w: Writer, x: Name, index: Name) -> list[Name]:
    return [int32_index(w, index), *[w.scalar(0, dtypes.int32)] * (len(x.shape) - 1)]


def _slice_at(w: Writer, x: Name, index: Name) -> Name:
    sizes = (1, *x.shape[1:])
    part = w.op("dynamic_slice", [x, *_starts(w, x, index)], x.type.with_shape(sizes),
                f"slice_sizes = {integers(sizes)}")
    return w.reshape(part, x.shape[1:])


def _put_at(w: Writer, stack: Name, x: Name, index: Name) -> Name:
    part = w.reshape(x, (1, *x.shape))
    return w.op("dynamic_update_slice", [stack, part, *_starts(w, stack, index)], stack.type)


@emits("call")
def _call(w: Writer, operation: Operation, xs: Names) -> Names:
    (region,) = operation.regions
    name = w.module.called.get(region)
    if name is None:
        name = w.module.called[region] = f"called_{len(w.module.called)}"
        w.define(name, region.input_types, region.output_types, lambda inner, values: inner.inline(region, values))
    return w.write("func.call", xs, region.output_types, f"callee = @{name}")


@emits("manual")
def _manual(w: Writer, operation: Operation, xs: Names) -> Names:
    raise OlympusInternalError("the program of one device has no manual regions")


@emits("host_callback")
def _host_callback(w: Writer, operation: Operation, xs: Names) -> Names:
    raise NotSupportedError(
        f"host_callback ({operation.attributes['callback'].name})",
        "the PJRT C API has no way for a program to call the host's Python.",
        "Return the values and look at them outside of jit, or run this function on platform cpu.",
    )


