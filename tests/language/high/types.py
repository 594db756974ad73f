# SPDX-License-Identifier: Apache-2.0
"""Types of values as libraries define them: tuples, quantized arrays, boxes; and operations on them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus import tree
from olympus.as_jax.hijax import (
    AvalQDD,
    HiPrimitive,
    HiType,
    MappingSpec,
    MutableHiType,
    ShapedArray,
    VJPHiPrimitive,
    instantiate_zeros,
    register_hitype,
)
from olympus.experimental import cur_qdd
from olympus.transforms.high.accumulators import Accumulator


@dataclass
class Tup:
    elements: tuple[Any, ...]


@dataclass(frozen=True)
class TupSpec(MappingSpec):
    dims: tuple[int | None, ...]


@dataclass(frozen=True)
class TupTy(HiType):
    types: tuple[Any, ...]

    def lo_ty(self):
        return list(self.types)

    def lower_val(self, value):
        return list(value.elements)

    def raise_val(self, *arrays):
        return Tup(arrays)

    def to_tangent_aval(self):
        return TupTy(tuple(t.to_tangent_aval() for t in self.types))

    def vspace_add(self, x, y):
        return Tup(tuple(a + b for a, b in zip(x.elements, y.elements, strict=True)))

    def dec_rank(self, size, spec):
        return TupTy(tuple(t.dec_rank(size, s) for t, s in zip(self.types, spec.dims, strict=True)))

    def inc_rank(self, size, spec):
        return TupTy(tuple(t.inc_rank(size, s) for t, s in zip(self.types, spec.dims, strict=True)))

    def leading_axis_spec(self):
        return TupSpec(tuple(t.leading_axis_spec() for t in self.types))


register_hitype(Tup, lambda t: TupTy(tuple(map(olympus.typeof, t.elements))))


class Make(VJPHiPrimitive):
    def __init__(self, types):
        self.in_avals = tuple(types)
        self.out_aval = TupTy(self.in_avals)
        self.params = {}
        super().__init__()

    def expand(self, *elements):
        return Tup(elements)

    def jvp(self, primals, tangents):
        return make(*primals), make(*map(instantiate_zeros, tangents))

    def transpose(self, ct, *operands):
        for i, operand in enumerate(operands):
            if isinstance(operand, Accumulator):
                operand.accum(get(ct, i))


class Get(VJPHiPrimitive):
    def __init__(self, kind, index):
        self.in_avals = (kind,)
        self.out_aval = kind.types[index]
        self.params = {"index": index}
        super().__init__()

    def expand(self, tup):
        return tup.elements[self.index]

    def jvp(self, primals, tangents):
        return get(primals[0], self.index), get(instantiate_zeros(tangents[0]), self.index)


def make(*elements):
    return Make(map(olympus.typeof, elements))(*elements)


def get(tup, index):
    return Get(olympus.typeof(tup), index)(tup)


@dataclass(frozen=True)
class Quantized:
    numbers: Any
    scale: Any


@dataclass(frozen=True)
class QuantizedTy(HiType):
    """Eight-bit numbers and a scale; tangents are those of the array that it stands for."""

    shape: tuple[int, ...]

    def lo_ty(self):
        return [ShapedArray(self.shape, np.int8), ShapedArray((), np.float32)]

    def lower_val(self, value):
        return [value.numbers, value.scale]

    def raise_val(self, numbers, scale):
        return Quantized(numbers, scale)

    def to_tangent_aval(self):
        return ShapedArray(self.shape, np.float32)


register_hitype(Quantized, lambda q: QuantizedTy(q.numbers.shape))


class Quantize(VJPHiPrimitive):
    def __init__(self, kind):
        self.in_avals = (kind,)
        self.out_aval = QuantizedTy(kind.shape)
        self.params = {}
        super().__init__()

    def expand(self, x):
        scale = jnp.max(jnp.abs(x)) / 127
        return Quantized(jnp.round(x / scale).astype(np.int8), scale)

    def vjp_fwd(self, nzs_in, x):
        return self(x), None

    def vjp_bwd_retval(self, res, ct):
        return (ct,)


class Dequantize(VJPHiPrimitive):
    def __init__(self, kind):
        self.in_avals = (kind,)
        self.out_aval = ShapedArray(kind.shape, np.float32)
        self.params = {}
        super().__init__()

    def expand(self, q):
        return q.numbers * q.scale

    def vjp_fwd(self, nzs_in, q):
        return self(q), None

    def vjp_bwd_retval(self, res, ct):
        return (ct,)


def quantize(x):
    return Quantize(olympus.typeof(x))(x)


def dequantize(q):
    return Dequantize(olympus.typeof(q))(q)


@dataclass(frozen=True)
class BoxState:
    leaves: tuple[Any, ...]
    structure: Any

    def normalize(self):
        return BoxState(tuple(a.normalize() for a in self.leaves), self.structure)


class Box:
    """A value that changes: holds any tree of arrays."""

    def __new__(cls, value=None):
        box = new_box_p.bind()
        box.set(value)
        return box

    @classmethod
    def of(cls, value):
        box = object.__new__(cls)
        box.value = value
        return box

    def get(self):
        state = cur_qdd(self)
        return tree.unflatten(state.structure, get_box_p.bind(self, leaves=state.leaves))

    def set(self, value):
        leaves, structure = tree.flatten(value)
        set_box_p.bind(self, *leaves, structure=structure)

    def cur_qdd(self):
        leaves, structure = tree.flatten(self.value)
        return BoxState(tuple(map(olympus.typeof, leaves)), structure)


class BoxTy(MutableHiType):
    def __hash__(self):
        return hash(BoxTy)

    def __eq__(self, other):
        return isinstance(other, BoxTy)

    def lo_ty_qdd(self, state):
        return list(itertools.chain.from_iterable(t.lo_ty() for t in state.leaves))

    def new_from_loval(self, state, *arrays):
        return Box.of(tree.unflatten(state.structure, arrays))

    def read_loval(self, state, box):
        return tree.leaves(box.get())

    def update_from_loval(self, state, box, *arrays):
        box.set(tree.unflatten(state.structure, arrays))


register_hitype(Box, lambda box: BoxTy())


class NewBox(HiPrimitive):
    def abstract_eval(self):
        return AvalQDD(BoxTy(), BoxState((), tree.structure(None))), set()

    def to_lojax(self):
        return Box.of(None)


class SetBox(HiPrimitive):
    multiple_results = True

    def to_lojax(self, box, *leaves, structure):
        box.value = tree.unflatten(structure, leaves)
        return []


class GetBox(HiPrimitive):
    multiple_results = True

    def to_lojax(self, box, *, leaves):
        return tree.leaves(box.value)


new_box_p, set_box_p, get_box_p = NewBox("new_box"), SetBox("set_box"), GetBox("get_box")
