# SPDX-License-Identifier: Apache-2.0
"""Slices, padding, products, convolutions, gathers, scatters, transforms: parameters that hold several attributes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.errors import ArgumentError
from olympus_core.partition import constraint_layout
from olympus_core.placement import NamedSharding, sharding_of
from olympus_core.program import ArrayType, Operation

from ...dimension_numbers import (
    ConvDimensionNumbers,
    GatherDimensionNumbers,
    GatherScatterMode,
    ScatterDimensionNumbers,
)
from ...tracing import Aval, aval_of, bind_all
from ..fourier import transformed
from .known import PRIMITIVES, READINGS, Closed, Form, Params, primitive, taken
from .terms import Jaxpr, JaxprEqn, Var


def _read_slice(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    plain = all(step == 1 for step in a["strides"])
    return Form("slice", {"start_indices": a["starts"], "limit_indices": a["limits"],
                          "strides": None if plain else a["strides"]})


def _slice(args: Sequence[Any], params: Params) -> list[Any]:
    starts, limits, strides = taken("slice", params, ["start_indices", "limit_indices", "strides"], {})
    return bind_all(ops.slice, args, {"starts": tuple(starts), "limits": tuple(limits),
                                      "strides": (1,) * len(starts) if strides is None else tuple(strides)})


def _read_pad(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    return Form("pad", {"padding_config": tuple(zip(a["low"], a["high"], a["interior"], strict=True))})


def _pad(args: Sequence[Any], params: Params) -> list[Any]:
    (config,) = taken("pad", params, ["padding_config"], {})
    low, high, interior = zip(*config, strict=True) if config else ((), (), ())
    return bind_all(ops.pad, args, {"low": low, "high": high, "interior": interior})


_DOT: Params = {"precision": None, "out_sharding": None}


def _read_dot(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    numbers = (a["lhs_contracting"], a["rhs_contracting"]), (a["lhs_batch"], a["rhs_batch"])
    return Form("dot_general", {"dimension_numbers": numbers, "preferred_element_type": a.get("dtype"), **_DOT})


def _dot(args: Sequence[Any], params: Params) -> list[Any]:
    numbers, dtype = taken("dot_general", {"preferred_element_type": None, **params},
                           ["dimension_numbers", "preferred_element_type"], _DOT)
    (lhs, rhs), (lhs_batch, rhs_batch) = numbers
    return bind_all(ops.dot_general, args, {
        "lhs_contracting": tuple(lhs), "rhs_contracting": tuple(rhs), "lhs_batch": tuple(lhs_batch),
        "rhs_batch": tuple(rhs_batch), "dtype": None if dtype is None else np.dtype(dtype)})


_CONVOLUTION = {
    "window_strides": "window_strides", "padding": "padding", "lhs_dilation": "lhs_dilation",
    "rhs_dilation": "rhs_dilation", "feature_group_count": "feature_groups", "batch_group_count": "batch_groups",
}
_CONVOLUTION_OTHERS: Params = {"precision": None, "preferred_element_type": None, "out_sharding": None}
_LETTERS = {"lhs": "NC", "rhs": "OI", "out": "NC"}


def _spatial(a: Any) -> str:
    return "".join(c for c in a["rhs_layout"] if c not in "OI")


def _read_convolution(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    letters = _spatial(a)  # the order in which strides and padding are given
    specs = [tuple(a[f"{side}_layout"].index(c) for c in first + letters) for side, first in _LETTERS.items()]
    params: Params = {key: a[attribute] for key, attribute in _CONVOLUTION.items()}
    return Form("conv_general_dilated", {**params, "dimension_numbers": ConvDimensionNumbers(*specs),
                                         **_CONVOLUTION_OTHERS})


def _convolution(args: Sequence[Any], params: Params) -> list[Any]:
    *values, numbers = taken("conv_general_dilated", params, [*_CONVOLUTION, "dimension_numbers"], _CONVOLUTION_OTHERS)
    attributes = dict(zip(_CONVOLUTION.values(), values, strict=True))
    in_space = {key: attributes[key] for key in ("window_strides", "padding", "lhs_dilation", "rhs_dilation")}
    return bind_all(ops.convolution, args, attributes | numbers.attributes(**in_space))


_GATHER = ("offset_dims", "collapsed_slice_dims", "start_index_map", "operand_batching_dims", "indices_batching_dims")
_SCATTER = ("update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims", "operand_batching_dims",
            "indices_batching_dims")
_SORTED: Params = {"indices_are_sorted": False, "unique_indices": False}


def _read_gather(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    mode = GatherScatterMode.CLIP if a["mode"] == "clip" else GatherScatterMode.FILL_OR_DROP
    return Form("gather", {"dimension_numbers": GatherDimensionNumbers(*(a[key] for key in _GATHER)),
                           "slice_sizes": a["slice_sizes"], "mode": mode, "fill_value": a.get("fill_value"), **_SORTED})


def _gather(args: Sequence[Any], params: Params) -> list[Any]:
    numbers, sizes, mode, fill = taken("gather", {"fill_value": None, **params}, [
        "dimension_numbers", "slice_sizes", "mode", "fill_value"], _SORTED)
    attributes: Params = {key: tuple(getattr(numbers, key.replace("indices_b", "start_indices_b"))) for key in _GATHER}
    clips = GatherScatterMode.from_any(mode).clips
    attributes |= {"slice_sizes": tuple(sizes), "mode": "clip" if clips else "fill"}
    return bind_all(ops.gather, args, attributes | ({} if clips or fill is None else {"fill_value": fill}))


_COMBINED = {"set": "scatter", "add": "scatter-add", "mul": "scatter-mul", "min": "scatter-min", "max": "scatter-max"}


def _read_scatter(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    mode = GatherScatterMode.CLIP if a["mode"] == "clip" else GatherScatterMode.FILL_OR_DROP
    update = None if a["combine"] == "set" else _update(a["combine"], operation.operands[0].type.dtype)
    return Form(_COMBINED[a["combine"]], {
        "dimension_numbers": ScatterDimensionNumbers(*(a[key] for key in _SCATTER)), "mode": mode,
        **_SCATTER_OTHERS, "update_jaxpr": update})


@cache
def _update(combine: str, dtype: np.dtype) -> Jaxpr:
    """How an element and an update become one: interpreters see by it that the element before counts, too."""
    before, update, after = (Var(Aval(ArrayType((), dtype))) for _ in range(3))
    return Jaxpr((), (before, update), (after,), [JaxprEqn((before, update), (after,), PRIMITIVES[combine], {})])


_SCATTER_OTHERS: Params = {**_SORTED, "update_jaxpr": None, "update_consts": ()}


def _scatter(combine: str, name: str) -> None:
    def run(args: Sequence[Any], params: Params) -> list[Any]:
        given = None if combine == "set" else params.get("update_jaxpr")  # where it combines, the name says how
        numbers, mode = taken(name, params, ["dimension_numbers", "mode"], {**_SCATTER_OTHERS, "update_jaxpr": given})
        attributes = {key: tuple(getattr(numbers, key.replace("indices_b", "scatter_indices_b"))) for key in _SCATTER}
        clips = GatherScatterMode.from_any(mode) is GatherScatterMode.CLIP
        return bind_all(ops.scatter, args, attributes | {"combine": combine, "mode": "clip" if clips else "drop"})

    primitive(name, run)


_KINDS = ("fft", "ifft", "rfft", "irfft")


def _read_fft(operation: Operation, closed: Closed) -> Form:
    a = operation.attributes
    return Form("fft", {"fft_type": a["kind"].upper(), "fft_lengths": (a["length"],), "dimension": a["dimension"]})


def _fft(args: Sequence[Any], params: Params) -> list[Any]:
    last = aval_of(args[0]).ndim - 1
    kind, lengths, dimension = taken("fft", {"dimension": last, **params}, ["fft_type", "fft_lengths", "dimension"], {})
    word = getattr(kind, "name", kind if isinstance(kind, str) else str(kind)).lower()
    if word not in _KINDS or len(lengths) > last + 1 or (dimension != last and len(lengths) != 1):
        raise ArgumentError("fft_p.bind", "the transform is not of a known kind or of the last dimensions",
                            (kind, lengths, dimension),
                            "'FFT', 'IFFT', 'RFFT' or 'IRFFT', and a length for each of the last dimensions")
    if dimension == last:
        return [transformed(args[0], word, lengths)]
    return bind_all(ops.fft, args, {"kind": word, "length": lengths[0], "dimension": dimension})


def _read_constraint(operation: Operation, closed: Closed) -> Form:
    a = dict(operation.attributes)
    sharding = sharding_of(constraint_layout(a)).with_memory_kind(a.get("memory_kind", "device"))
    mesh = sharding.mesh if isinstance(sharding, NamedSharding) else None
    return Form("sharding_constraint", {"sharding": sharding, "layout": None, "context_mesh": mesh,
                                        "unconstrained_dims": frozenset(), "constraint": a})


def _constraint(args: Sequence[Any], params: Params) -> list[Any]:
    names = ("sharding", "layout", "context_mesh", "unconstrained_dims")
    (attributes,) = taken("sharding_constraint", params, ["constraint"], {key: params.get(key) for key in names})
    return bind_all(ops.sharding_constraint, args, attributes)


READINGS.update({
    ops.slice: _read_slice, ops.pad: _read_pad, ops.dot_general: _read_dot, ops.convolution: _read_convolution,
    ops.gather: _read_gather, ops.scatter: _read_scatter, ops.fft: _read_fft,
    ops.sharding_constraint: _read_constraint,
})
for _name, _bind in {"slice": _slice, "pad": _pad, "dot_general": _dot, "conv_general_dilated": _convolution,
                     "gather": _gather, "fft": _fft, "sharding_constraint": _constraint}.items():
    primitive(_name, _bind)
for _combine, _name in _COMBINED.items():
    _scatter(_combine, _name)
