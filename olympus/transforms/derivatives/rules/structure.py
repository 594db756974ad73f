"""Derivatives of operations that move elements: tangents are moved alike, cotangents moved back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import ops

from ....array import is_concrete
from ....tracing import aval_of, bind
from ...traces.arithmetic import apply, convert, reshape, sub, transpose, zeros
from ...traces.table import Step, Transposition, backward, constant, forward

Result = tuple[Sequence[Any], Sequence[Any]]
_MOVES = (ops.broadcast_in_dim, ops.reshape, ops.transpose, ops.slice, ops.reverse, ops.reduce_sum, ops.cumsum)


@forward(*_MOVES)
def _move(step: Step) -> Result:
    """One operand, linear in it."""
    y = bind(step.record, *step.primals, weak=step.weak, **step.attributes)
    return [y], [apply(step.record, step.tangents[0], **step.attributes)]


@forward(ops.sharding_constraint)
def _constraint(step: Step) -> Result:
    """A value that is there is moved; its cotangent goes back to where it came from."""
    (x,), (t,) = step.primals, step.tangents
    y = bind(ops.sharding_constraint, x, **step.attributes)
    if is_concrete(x):
        source = x.sharding.layout(x.ndim)
        t = apply(ops.sharding_constraint, t, mesh=source.mesh, dims=source.dims)
    return [y], [apply(ops.sharding_constraint, t, **step.attributes)]


def instantiated(step: Step, places: Sequence[int]) -> list[Any]:
    """The tangents of some operands, zero written out."""
    return [zeros(aval_of(step.primals[i])) if step.tangents[i] is None else step.tangents[i] for i in places]


@backward(ops.broadcast_in_dim)
def _broadcast_back(t: Transposition) -> Sequence[Any]:
    (x,), dims = t.avals, t.attributes["dimensions"]
    shape = t.results[0].shape
    kept = {d for n, d in zip(x.shape, dims, strict=True) if n == shape[d]}
    summed = tuple(d for d in range(len(shape)) if d not in kept)
    total = apply(ops.reduce_sum, t.cotangent, dimensions=summed) if summed else t.cotangent
    return [reshape(total, x.shape)]


@backward(ops.reshape)
def _reshape_back(t: Transposition) -> Sequence[Any]:
    return [reshape(t.cotangent, t.avals[0].shape)]


@backward(ops.transpose)
def _transpose_back(t: Transposition) -> Sequence[Any]:
    return [transpose(t.cotangent, tuple(int(d) for d in np.argsort(t.attributes["permutation"])))]


def padding(x: Any, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Any:
    """Zeros put around and between elements."""
    if not any((*low, *high, *interior)):
        return x
    zero = np.zeros((), aval_of(x).dtype)
    return apply(ops.pad, x, zero, low=tuple(low), high=tuple(high), interior=tuple(interior))


@backward(ops.slice)
def _slice_back(t: Transposition) -> Sequence[Any]:
    starts, strides = t.attributes["starts"], t.attributes["strides"]
    given, whole = t.results[0].shape, t.avals[0].shape
    reach = [start + (n - 1) * stride + 1 if n else start
             for start, n, stride in zip(starts, given, strides, strict=True)]
    return [padding(t.cotangent, starts, [n - end for n, end in zip(whole, reach, strict=True)],
                    [stride - 1 for stride in strides])]


@backward(ops.reverse, ops.sharding_constraint)
def _same_back(t: Transposition) -> Sequence[Any]:
    return [apply(t.record, t.cotangent, **t.attributes)]


@forward(ops.pad)
def _pad(step: Step) -> Result:
    y = bind(ops.pad, *step.primals, weak=step.weak, **step.attributes)
    return [y], [apply(ops.pad, *instantiated(step, (0, 1)), **step.attributes)]


@backward(ops.pad)
def _pad_back(t: Transposition) -> Sequence[Any]:
    low, high, interior = (t.attributes[name] for name in ("low", "high", "interior"))
    # What was padded is taken away again, then every so-manieth element.
    cut = apply(ops.pad, t.cotangent, np.zeros((), aval_of(t.cotangent).dtype), low=tuple(-n for n in low),
                high=tuple(-n for n in high), interior=(0,) * len(low)) if any((*low, *high)) else t.cotangent
    x = cut
    if any(interior):
        shape = aval_of(cut).shape
        x = apply(ops.slice, cut, starts=(0,) * len(shape), limits=shape, strides=tuple(n + 1 for n in interior))
    value = None
    if t.linear[1]:
        total = apply(ops.reduce_sum, t.cotangent, dimensions=tuple(range(len(low))))
        value = sub(total, apply(ops.reduce_sum, x, dimensions=tuple(range(len(low)))))
    return [x if t.linear[0] else None, value]


@forward(ops.concatenate)
def _concatenate(step: Step) -> Result:
    y = bind(ops.concatenate, *step.primals, weak=step.weak, **step.attributes)
    return [y], [apply(ops.concatenate, *instantiated(step, range(len(step.primals))), **step.attributes)]


@backward(ops.concatenate)
def _concatenate_back(t: Transposition) -> Sequence[Any]:
    dimension, found, start = t.attributes["dimension"], [], 0
    shape = t.results[0].shape
    for aval, linear in zip(t.avals, t.linear, strict=True):
        stop = start + aval.shape[dimension]
        if linear:
            starts = tuple(start if d == dimension else 0 for d in range(len(shape)))
            limits = tuple(stop if d == dimension else n for d, n in enumerate(shape))
            found.append(apply(ops.slice, t.cotangent, starts=starts, limits=limits, strides=(1,) * len(shape)))
        else:
            found.append(None)
        start = stop
    return found


@forward(ops.dynamic_slice)
def _dynamic_slice(step: Step) -> Result:
    y = bind(ops.dynamic_slice, *step.primals, weak=step.weak, **step.attributes)
    return [y], [apply(ops.dynamic_slice, step.tangents[0], *step.primals[1:], **step.attributes)]


@backward(ops.dynamic_slice)
def _dynamic_slice_back(t: Transposition) -> Sequence[Any]:
    starts = t.operands[1:]
    return [apply(ops.dynamic_update_slice, zeros(t.avals[0]), t.cotangent, *starts), *[None] * len(starts)]


@forward(ops.dynamic_update_slice)
def _dynamic_update(step: Step) -> Result:
    y = bind(ops.dynamic_update_slice, *step.primals, weak=step.weak)
    return [y], [apply(ops.dynamic_update_slice, *instantiated(step, (0, 1)), *step.primals[2:])]


@backward(ops.dynamic_update_slice)
def _dynamic_update_back(t: Transposition) -> Sequence[Any]:
    starts, update = t.operands[2:], t.avals[1]
    whole = part = None
    if t.linear[0]:
        whole = apply(ops.dynamic_update_slice, t.cotangent, zeros(update), *starts)
    if t.linear[1]:
        part = apply(ops.dynamic_slice, t.cotangent, *starts, sizes=update.shape)
    return [whole, part, *[None] * len(starts)]


@backward(ops.reduce_sum)
def _reduce_sum_back(t: Transposition) -> Sequence[Any]:
    shape, summed = t.avals[0].shape, t.attributes["dimensions"]
    kept = tuple(d for d in range(len(shape)) if d not in summed)
    return [apply(ops.broadcast_in_dim, convert(t.cotangent, t.avals[0].dtype), shape=shape, dimensions=kept)]


@backward(ops.cumsum)
def _cumsum_back(t: Transposition) -> Sequence[Any]:
    return [apply(ops.cumsum, t.cotangent, dimension=t.attributes["dimension"],
                  reverse=not t.attributes["reverse"])]


constant(ops.iota, ops.constant)
